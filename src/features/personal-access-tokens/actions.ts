"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { systemDeps } from "@/platform/deps";
import { readId } from "@/platform/keyset";
import { setFlash } from "@/ui/flash";
import { requireRecentProof, requireSession } from "../sign-in/loaders";
import type { PersonalTokenDraft, PersonalTokenProblems } from "./rules";
import { readExpiry, readPersonalTokenForm } from "./schema";
import * as tokens from "./service";

const HOME = "/user_settings/personal_access_tokens";

/** A token that was made, with its value, which is shown once. */
export type Made = Readonly<{ kind: "made"; name: string; value: string }>;

/** What the form shows next. */
export type CreationState =
  | Readonly<{ kind: "editing"; draft: PersonalTokenDraft; problems: PersonalTokenProblems }>
  | Made;

export async function createToken(_before: CreationState, form: FormData): Promise<CreationState> {
  await requireSession(`${HOME}/new`);
  const { user } = await requireRecentProof(`${HOME}/new`);
  const draft = readPersonalTokenForm(form);
  const outcome = await tokens.createPersonalToken(systemDeps(), user, draft);
  if ("problems" in outcome) return { kind: "editing", draft, problems: outcome.problems };
  return { kind: "made", name: outcome.token.name, value: outcome.value };
}

/** What the list shows above itself: nothing, the value of a rotated token, or why there is none. */
export type RotationState = null | Made | Readonly<{ kind: "refused"; text: string }>;

export async function rotateToken(_before: RotationState, form: FormData): Promise<RotationState> {
  await requireSession(HOME);
  const { user } = await requireRecentProof(HOME);
  const token = { id: readId(String(form.get("id"))) ?? 0, userId: user.id };
  const outcome = await tokens.rotatePersonalToken(systemDeps(), token, readExpiry(form));
  revalidatePath(HOME);
  if (outcome === null) return { kind: "refused", text: "That token has been revoked. Create a new one." };
  if ("problems" in outcome)
    return {
      kind: "refused",
      text: `Nothing was changed. ${Object.values(outcome.problems).flat().join(" ")}`,
    };
  return { kind: "made", name: outcome.token.name, value: outcome.value };
}

export async function revokeToken(form: FormData): Promise<void> {
  const { user } = await requireSession(HOME);
  const token = { id: readId(String(form.get("id"))) ?? 0, userId: user.id };
  if (await tokens.revokePersonalToken(systemDeps(), token))
    await setFlash("Revoked. That token does not work any more.");
  redirect(HOME);
}
