"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { reauthenticatedFormAction } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/http/query";
import type { CreationState, RotationState } from "@/oauth/personal-access-tokens/actions";
import { readExpiry } from "@/oauth/personal-access-tokens/schema";
import { setFlash } from "@/ui/appearance/flash";
import { readResourceKind } from "../members/schema";
import { accessTokensPath, requireManager } from "./loaders";
import type { AccessTokenDraft, AccessTokenProblems } from "./rules";
import { readAccessTokenForm } from "./schema";
import * as service from "./service";

const urlOf = (form: FormData): string =>
  accessTokensPath(readResourceKind(form), readReference(form, "place"));

const managerOf = (form: FormData, page: "" | "/new" = "") =>
  requireManager(readResourceKind(form), readReference(form, "place"), page);

const NOT_ALLOWED =
  "You cannot manage a token with a role higher than your own. Ask a member with this role.";

/** Returns the next state of the form that creates an access token of a project or a group. */
export type AccessTokenState = CreationState<AccessTokenDraft, AccessTokenProblems>;

export const createAccessToken = reauthenticatedFormAction<AccessTokenState>(
  (form) => `${urlOf(form)}/new`,
  async (_session, form) => {
    const draft = readAccessTokenForm(form);
    const outcome = await service.createAccessToken(systemDeps(), await managerOf(form, "/new"), draft);
    if (outcome === "not_allowed") return { kind: "editing", draft, problems: { role: [NOT_ALLOWED] } };
    if ("problems" in outcome) return { kind: "editing", draft, problems: outcome.problems };
    return { kind: "created", name: outcome.token.name, value: outcome.value };
  },
);

const REVOKED = "This token has been revoked. Create a new token.";

export const rotateAccessToken = reauthenticatedFormAction<RotationState>(urlOf, async (_session, form) => {
  const deps = systemDeps();
  const manager = await managerOf(form);
  const token = await service.findAccessToken(deps, manager.resource, idIn(form));
  if (token === null) return { kind: "refused", text: REVOKED };
  const outcome = await service.rotateAccessToken(deps, manager, token, readExpiry(form));
  revalidatePath(manager.url);
  if (outcome === null) return { kind: "refused", text: REVOKED };
  if (outcome === "not_allowed") return { kind: "refused", text: NOT_ALLOWED };
  if ("problems" in outcome)
    return {
      kind: "refused",
      text: `The token was not rotated. ${Object.values(outcome.problems).flat().join(" ")}`,
    };
  return { kind: "created", name: outcome.token.name, value: outcome.value };
});

export async function revokeAccessToken(form: FormData): Promise<void> {
  const deps = systemDeps();
  const manager = await managerOf(form);
  const token = await service.findAccessToken(deps, manager.resource, idIn(form));
  if (token !== null && (await service.revokeAccessToken(deps, manager, token)) === true)
    await setFlash("The access token is revoked, and its bot is no longer a member.");
  redirect(manager.url);
}

const idIn = (form: FormData): number => readId(readReference(form, "id")) ?? 0;
