"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { reauthenticatedFormAction, requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import type { PersonalTokenDraft, PersonalTokenProblems } from "./rules";
import { readExpiry, readPersonalTokenForm } from "./schema";
import * as tokens from "./service";

const HOME = "/user_settings/personal_access_tokens";

/** A new personal access token with its value, which is shown once. */
export type CreatedToken = Readonly<{ kind: "created"; name: string; value: string }>;

/** The next state of the token form. */
export type CreationState<Draft = PersonalTokenDraft, FieldErrors = PersonalTokenProblems> =
  | Readonly<{ kind: "editing"; draft: Draft; problems: FieldErrors }>
  | CreatedToken;

export const createToken = reauthenticatedFormAction<CreationState>(
  () => `${HOME}/new`,
  async (session, form) => {
    const draft = readPersonalTokenForm(form);
    const outcome = await tokens.createOwnToken(systemDeps(), session, draft);
    if ("problems" in outcome) return { kind: "editing", draft, problems: outcome.problems };
    return { kind: "created", name: outcome.token.name, value: outcome.value };
  },
);

/** The message above the list of tokens: null, the new value of a rotated token, or an error. */
export type RotationState = null | CreatedToken | Readonly<{ kind: "refused"; text: string }>;

export const rotateToken = reauthenticatedFormAction<RotationState>(
  () => HOME,
  async ({ user }, form) => {
    const token = { id: readId(String(form.get("id"))) ?? 0, userId: user.id };
    const outcome = await tokens.rotatePersonalToken(systemDeps(), token, readExpiry(form));
    revalidatePath(HOME);
    if (outcome === null)
      return { kind: "refused", text: "This token has been revoked. Create a new token." };
    if ("problems" in outcome)
      return {
        kind: "refused",
        text: `The token was not rotated. ${Object.values(outcome.problems).flat().join(" ")}`,
      };
    return { kind: "created", name: outcome.token.name, value: outcome.value };
  },
);

export async function revokeToken(form: FormData): Promise<void> {
  const { user } = await requireSession(HOME);
  const token = { id: readId(String(form.get("id"))) ?? 0, userId: user.id };
  if (await tokens.revokePersonalToken(systemDeps(), token)) await setFlash("The token is revoked.");
  redirect(HOME);
}
