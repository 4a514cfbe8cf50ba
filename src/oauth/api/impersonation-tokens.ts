import { z } from "zod";
import type { Principal, User } from "@/access/principal";
import { badRequest, notFound, unacceptable } from "@/http-api/errors";
import { id } from "@/http-api/fields";
import * as users from "@/identity/users/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import {
  createImpersonationToken,
  findImpersonationToken,
  listImpersonationTokens,
  revokeImpersonationToken,
} from "@/oauth/personal-access-tokens/impersonation";
import type { PersonalToken } from "@/oauth/personal-access-tokens/rules";
import type { CreatedPersonalToken } from "@/oauth/personal-access-tokens/service";
import { newToken } from "./personal-access-tokens";

export const impersonationTokenSearch = z.object({
  id,
  state: z.enum(["all", "active", "inactive"]).default("all"),
});

/** Returns a page of the impersonation tokens of a user, newest first. @throws ApiError 404 for an unknown user. */
export async function listTokens(
  deps: Deps,
  _caller: Principal,
  { id, state }: z.infer<typeof impersonationTokenSearch>,
  paging: Paging,
): Promise<Page<PersonalToken>> {
  const owner = await ownerOf(deps, id);
  const active = state === "all" ? null : state === "active";
  return listImpersonationTokens(deps, owner.id, { active, revoked: null }, paging);
}

async function ownerOf(deps: Deps, userId: number): Promise<User> {
  const owner = await users.findById(deps, userId);
  if (owner === null) throw notFound("User");
  return owner;
}

export const impersonationTokenReference = z.object({ id, impersonation_token_id: id });
type Reference = z.infer<typeof impersonationTokenReference>;

/**
 * Returns an impersonation token.
 * @throws ApiError 404 when the user has no impersonation token with this id.
 */
export async function readToken(
  deps: Deps,
  _caller: Principal,
  { id, impersonation_token_id }: Reference,
): Promise<PersonalToken> {
  const owner = await ownerOf(deps, id);
  const token = await findImpersonationToken(deps, owner.id, impersonation_token_id);
  if (token === null) throw notFound("Impersonation Token");
  return token;
}

export const newImpersonationTokenInput = newToken;

/** Creates an impersonation token. @throws ApiError 400 for invalid values and for a bot, 404 for an unknown user. */
export async function createToken(
  deps: Deps,
  { user: by }: Principal,
  { id, name, scopes, expires_at }: z.infer<typeof newImpersonationTokenInput>,
): Promise<CreatedPersonalToken> {
  const owner = await ownerOf(deps, id);
  const draft = { name, scopes, expiresAt: expires_at ?? null };
  const outcome = await createImpersonationToken(deps, owner, draft, by);
  if (outcome === null) throw badRequest("A bot cannot be impersonated");
  if (!("problems" in outcome)) return outcome;
  const { expiresAt, ...problems } = outcome.problems;
  throw unacceptable(expiresAt === undefined ? problems : { ...problems, expires_at: expiresAt });
}

/**
 * Revokes an impersonation token. The function also succeeds for a token that is already revoked.
 * @throws ApiError 404 when the user has no impersonation token with this id.
 */
export async function revokeToken(deps: Deps, caller: Principal, reference: Reference): Promise<null> {
  await revokeImpersonationToken(deps, await readToken(deps, caller, reference), caller.user);
  return null;
}
