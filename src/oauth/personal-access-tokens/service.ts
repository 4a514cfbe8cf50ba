import { type User, userStateOf } from "@/access/principal";
import type { Session } from "@/identity/sessions/service";
import { requireLiveSession } from "@/identity/sessions/sessions-ended";
import * as users from "@/identity/users/service";
import * as audit from "@/instance/audit/service";
import { enqueueUse, writeLastUses } from "@/instance/last-use/service";
import { digest, newToken, TOKEN_PREFIXES } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import type { KeysetPage, KeysetPaging, Page, Paging } from "@/kernel/paging/paging";
import { type TokenState, tokenState } from "../tokens/rules";
import {
  familyOf,
  type PersonalToken,
  type PersonalTokenDraft,
  type PersonalTokenInput,
  type PersonalTokenProblems,
  validatePersonalToken,
} from "./rules";
import * as store from "./store";
import { findByDigest, type PersonalTokenRow, tokensWithoutRight, validBots } from "./store.sql";

/** Returns whether a token has the prefix of personal access tokens. */
export const isPersonalToken = (token: string): boolean => token.startsWith(TOKEN_PREFIXES.personal);

/** A new personal access token. `value` is the token in plain text, which is shown once and not stored. */
export type CreatedPersonalToken = Readonly<{ token: PersonalToken; value: string }>;
type Refused = { readonly problems: PersonalTokenProblems };

/**
 * Creates a personal access token for the user of a session.
 * @throws SessionEnded if the session has ended.
 */
export const createOwnToken = (
  deps: Deps,
  session: Session,
  draft: PersonalTokenDraft,
): Promise<CreatedPersonalToken | Refused> =>
  deps.transaction(async (within) => {
    await requireLiveSession(within, session.id);
    return createPersonalToken(within, session.user, draft);
  });

/**
 * Locks the token that authenticates a request, and its owner, until the transaction ends. The events that
 * revoke all access to an account lock the owner first. Either they also revoke a token that the transaction
 * creates, or this function finds that the token of the request is revoked.
 * @returns false if the token is revoked.
 */
export async function lockLiveToken(
  deps: Deps,
  { id, ownerId }: Readonly<{ id: number; ownerId: number }>,
): Promise<boolean> {
  await users.lock(deps, ownerId);
  return store.lockLive(deps.db, id);
}

/**
 * Creates a personal access token.
 * @param by the administrator who creates the token for another user; null for the owner.
 */
export async function createPersonalToken(
  deps: Deps,
  owner: User,
  draft: PersonalTokenDraft,
  by: User | null = null,
): Promise<CreatedPersonalToken | Refused> {
  const validation = validatePersonalToken(draft, deps.clock());
  if ("problems" in validation) return validation;
  const { scopes } = validation.input;
  return deps.transaction(async (within) => {
    await audit.record(within, "personal_token.created", { scopes }, about(owner.id, by));
    return insertPersonalToken(within, { userId: owner.id, familyId: null }, validation.input);
  });
}

/**
 * Replaces a personal access token with a new token of the same name and scopes. The old token stops working
 * immediately.
 * @param expiresAt the expiration date of the new token as `YYYY-MM-DD`; null for the latest allowed date.
 * @param by the administrator who rotates the token for another user; null for the owner.
 * @returns null when the token does not belong to the user, is revoked, or is an impersonation token.
 */
export async function rotatePersonalToken(
  deps: Deps,
  { id, userId }: Readonly<{ id: number; userId: number }>,
  expiresAt: string | null,
  by: User | null = null,
): Promise<CreatedPersonalToken | Refused | null> {
  const before = await store.findById(deps.reads, id);
  // An impersonation token cannot be rotated. The rotation would show the new value of the impersonation
  // token to the user, but only the administrator who created the token may see the value.
  if (before === null || before.userId !== userId || before.impersonatorId !== null) return null;
  const validation = validatePersonalToken({ ...before, expiresAt }, deps.clock());
  if ("problems" in validation) return validation;
  return deps.transaction(async (within) => {
    await users.lock(within, userId);
    if (!(await store.revoke(within.db, before, within.clock()))) return null;
    await audit.record(within, "personal_token.rotated", {}, about(userId, by));
    return insertPersonalToken(within, { userId, familyId: familyOf(before) }, validation.input);
  });
}

/** Creates a token in the transaction that `deps` contains, and records no audit event. */
export async function insertPersonalToken(
  deps: Deps,
  owner: Readonly<{ userId: number; familyId: number | null; impersonatorId?: number | null }>,
  { name, scopes, expiresAt }: PersonalTokenInput,
): Promise<CreatedPersonalToken> {
  const value = newToken(deps.randomBytes, "personal");
  const token = await store.insert(deps.db, {
    ...owner,
    impersonatorId: owner.impersonatorId ?? null,
    digest: digest(value),
    name,
    scopes: scopes.join(" "),
    createdAt: deps.clock(),
    expiresAt,
  });
  return { token, value };
}

/**
 * Revokes all successors of a rotated token that was used again. The second use of a rotated token shows that
 * another party has the token (RFC 9700 §4.14.2 has the same rule for refresh tokens). A token that was
 * revoked without rotation has no successors.
 */
export async function endReusedFamily(
  deps: Deps,
  token: Readonly<{ id: number; familyId: number | null; userId: number }>,
): Promise<void> {
  const [familyId, { userId }] = [familyOf(token), token];
  // This query runs first, so that a program that continues to use a revoked token does not cause a write
  // with each request.
  if (!(await store.familyLives(deps.db, familyId))) return;
  await deps.transaction(async (within) => {
    // Rotations also lock the row of the user, so that no rotation can add a token to the family during this
    // transaction.
    await users.lock(within, userId);
    if ((await store.revokeFamily(within.db, familyId, within.clock())) === 0) return;
    const details = { because: "personal_token_reuse", familyId } as const;
    await audit.record(within, "token.family_revoked", details, { userId });
  });
}

const about = (userId: number, by: User | null) => ({
  userId,
  actorId: by === null || by.id === userId ? null : by.id,
});

/**
 * Returns a page of the personal access tokens that match the filter. The filter does not check whether the
 * creator of a token has lost the required right (`rightEnded`).
 */
export async function listPersonalTokens(
  deps: Deps,
  filter: store.TokenFilter,
  paging: Paging,
): Promise<Page<PersonalToken>> {
  await writeLastUses(deps);
  const page = await store.part(deps, filter, deps.clock(), paging);
  const ids = page.rows.map(({ id }) => id);
  const ended = ids.length === 0 ? new Set() : await tokensWithoutRight(deps.reads, ids, deps.clock());
  return { ...page, rows: page.rows.map((row) => ({ ...row, rightEnded: ended.has(row.id) })) };
}

/** Returns a page of the unrevoked personal access tokens of a user, newest first. */
export async function ownPersonalTokens(
  deps: Deps,
  userId: number,
  paging: KeysetPaging,
): Promise<KeysetPage<PersonalToken>> {
  await writeLastUses(deps);
  return store.listOf(deps.reads, userId, paging);
}

export type PersonalTokenDetails = Readonly<{ row: PersonalTokenRow; user: User; state: TokenState }>;

/**
 * Returns the row, the user and the state of a personal access token; null for an unknown token. The function
 * runs one prepared query and records the use asynchronously. The use of a rotated token revokes its
 * successors.
 */
export async function findPersonalToken(deps: Deps, value: string): Promise<PersonalTokenDetails | null> {
  const now = deps.clock();
  const row = await findByDigest(deps.prepared, digest(value), now);
  if (row === null) return null;
  const state = tokenState(row, now);
  if (state === "live") enqueueUse(deps, "personalToken", { id: row.tokenId, lastUsedAt: row.lastUsedAt });
  if (state === "revoked" && row.revokedAt !== null)
    await endReusedFamily(deps, { id: row.tokenId, familyId: row.familyId, userId: row.user.id });
  const user: User = { ...row.user, state: userStateOf(row.user.state) };
  return { row, user, state };
}

/**
 * Returns the id and the owner of a personal access token; null for an unknown token. The function does not
 * record a use of the token.
 */
export async function identifyPersonalToken(
  deps: Deps,
  value: string,
): Promise<Readonly<{ id: number; userId: number }> | null> {
  const row = await findByDigest(deps.prepared, digest(value), deps.clock());
  return row && { id: row.tokenId, userId: row.user.id };
}

/** Returns the personal access token with this id, in any state; null for an unknown id. */
export const personalTokenById = (deps: Deps, id: number): Promise<PersonalToken | null> =>
  store.findById(deps.reads, id);

/**
 * Revokes a personal access token. The next request with the token is refused.
 * @param by the administrator who revokes the token of another user; null for the owner.
 * @returns whether the token was active.
 */
export const revokePersonalToken = (
  deps: Deps,
  token: Readonly<{ id: number; userId: number }>,
  by: User | null = null,
): Promise<boolean> =>
  deps.transaction(async (within) => {
    const wasAlive = await store.revoke(within.db, token, within.clock());
    if (wasAlive) await audit.record(within, "personal_token.revoked", {}, about(token.userId, by));
    return wasAlive;
  });

/**
 * Revokes all personal access tokens of a user.
 * @returns the number of active tokens that were revoked.
 */
export const revokePersonalTokensOf = (deps: Deps, userId: number): Promise<number> =>
  store.revokeAllOf(deps.db, userId, deps.clock());

/**
 * Returns the ids of the given bots whose tokens are valid because the creator of the tokens still has the
 * required role.
 */
export const botsWithRight = (
  deps: Pick<Deps, "reads" | "clock">,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> => validBots(deps.reads, userIds, deps.clock());
