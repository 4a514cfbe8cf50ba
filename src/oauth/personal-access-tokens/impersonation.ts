import { isBot, type User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import {
  type PersonalToken,
  type PersonalTokenDraft,
  type PersonalTokenProblems,
  validatePersonalToken,
} from "./rules";
import {
  type CreatedPersonalToken,
  insertPersonalToken,
  listPersonalTokens,
  personalTokenById,
} from "./service";
import * as store from "./store";

/**
 * Creates a token with which an administrator acts for a user. The impersonation token is valid while its
 * creator is an active administrator. Audit events name the creator and the user.
 * @returns null for a bot, which cannot be impersonated.
 */
export async function createImpersonationToken(
  deps: Deps,
  owner: User,
  draft: PersonalTokenDraft,
  by: User,
): Promise<CreatedPersonalToken | Readonly<{ problems: PersonalTokenProblems }> | null> {
  if (isBot(owner) || !by.admin) return null;
  const validation = validatePersonalToken(draft, deps.clock());
  if ("problems" in validation) return validation;
  const { scopes } = validation.input;
  return deps.transaction(async (within) => {
    const about = { userId: owner.id, actorId: by.id };
    await audit.record(within, "impersonation_token.created", { scopes }, about);
    const tokenOwner = { userId: owner.id, familyId: null, impersonatorId: by.id };
    return insertPersonalToken(within, tokenOwner, validation.input);
  });
}

/** A filter for impersonation tokens. A filter field that is null matches any value. */
export type ImpersonationFilter = Readonly<{ active: boolean | null; revoked: boolean | null }>;

/** Returns a page of the impersonation tokens of a user, newest first. */
export const listImpersonationTokens = (
  deps: Deps,
  userId: number,
  filter: ImpersonationFilter,
  paging: Paging,
): Promise<Page<PersonalToken>> =>
  listPersonalTokens(deps, { userId, impersonation: true, search: null, ...filter }, paging);

/** Returns an impersonation token of a user, in any state; null for an unknown id. */
export async function findImpersonationToken(
  deps: Deps,
  userId: number,
  id: number,
): Promise<PersonalToken | null> {
  const token = await personalTokenById(deps, id);
  return token !== null && token.userId === userId && token.impersonatorId !== null ? token : null;
}

/**
 * Revokes an impersonation token. The next request with the token is refused.
 * @returns whether the token was active.
 */
export const revokeImpersonationToken = (deps: Deps, token: PersonalToken, by: User): Promise<boolean> =>
  deps.transaction(async (within) => {
    if (!(await store.revoke(within.db, token, within.clock()))) return false;
    const about = { userId: token.userId, actorId: by.id };
    await audit.record(within, "impersonation_token.revoked", {}, about);
    return true;
  });
