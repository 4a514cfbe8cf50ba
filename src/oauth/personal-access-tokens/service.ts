import type { User } from "@/access/principal";
import * as users from "@/identity/users/service";
import * as audit from "@/instance/audit/service";
import { enqueueUse, writeLastUses } from "@/instance/last-use/service";
import { digest, newToken, TOKEN_PREFIXES } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import type { Cursor, Slice } from "@/kernel/paging/keyset";
import type { Page, Paging } from "@/kernel/paging/paging";
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
import { findByDigest, type PersonalTokenRow } from "./store.sql";

/** Whether a text claims to be a personal access token. */
export const isPersonalToken = (token: string): boolean => token.startsWith(TOKEN_PREFIXES.personal);

/** A new token. `value` is in the clear here and nowhere else: it is shown once. */
export type CreatedPersonalToken = Readonly<{ token: PersonalToken; value: string }>;
type Refused = { readonly problems: PersonalTokenProblems };

/**
 * Makes a token.
 * @param by an administrator who makes it for somebody else; null: its owner.
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
    return insertNew(within, { userId: owner.id, familyId: null }, validation.input);
  });
}

/**
 * Puts a new token of the same name and scopes in the place of one, which ends at once.
 * @param expiresAt of the new one, `YYYY-MM-DD`; null: as late as it may.
 * @param by an administrator who does it for somebody else; null: its owner.
 * @returns null when the person has no such token, or it has been revoked.
 */
export async function rotatePersonalToken(
  deps: Deps,
  { id, userId }: Readonly<{ id: number; userId: number }>,
  expiresAt: string | null,
  by: User | null = null,
): Promise<CreatedPersonalToken | Refused | null> {
  const before = await store.findById(deps.db, id);
  if (before === null || before.userId !== userId) return null;
  const validation = validatePersonalToken({ ...before, expiresAt }, deps.clock());
  if ("problems" in validation) return validation;
  return deps.transaction(async (within) => {
    await users.lock(within, userId);
    if (!(await store.revoke(within.db, before, within.clock()))) return null;
    await audit.record(within, "personal_token.rotated", {}, about(userId, by));
    return insertNew(within, { userId, familyId: familyOf(before) }, validation.input);
  });
}

async function insertNew(
  deps: Deps,
  place: Readonly<{ userId: number; familyId: number | null }>,
  { name, scopes, expiresAt }: PersonalTokenInput,
): Promise<CreatedPersonalToken> {
  const value = newToken(deps.randomBytes, "personal");
  const token = await store.insert(deps.db, {
    ...place,
    digest: digest(value),
    name,
    scopes: scopes.join(" "),
    createdAt: deps.clock(),
    expiresAt,
  });
  return { token, value };
}

/**
 * Somebody used a token after it was revoked. If another was put in its place, one of two parties that have it is not
 * its owner, and nobody can tell which (as RFC 9700 §4.14.2 has it of refresh tokens): so all that came of it by
 * rotation ends. A token that its owner just revoked has nothing after it.
 */
export async function endReusedFamily(
  deps: Deps,
  token: Readonly<{ id: number; familyId: number | null; userId: number }>,
): Promise<void> {
  const [familyId, { userId }] = [familyOf(token), token];
  // Read first: a program that goes on showing its dead token must not make the database write each time.
  if (!(await store.familyLives(deps.db, familyId))) return;
  await deps.transaction(async (within) => {
    // Rotations begin with the same row, so that none can put a successor where this does not look.
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

/** A part of all tokens, or of one person's, as a list of the API wants them. */
export async function listPersonalTokens(
  deps: Deps,
  filter: store.TokenFilter,
  paging: Paging,
): Promise<Page<PersonalToken>> {
  await writeLastUses(deps);
  return store.part(deps.db, filter, deps.clock(), paging);
}

/** A person's tokens that have not been revoked, page by page, the newest first. */
export async function ownPersonalTokens(
  deps: Deps,
  userId: number,
  cursor: Cursor<number>,
  most: number,
): Promise<Slice<PersonalToken>> {
  await writeLastUses(deps);
  return store.listOf(deps.db, userId, cursor, most);
}

export type PersonalTokenDetails = Readonly<{ row: PersonalTokenRow; user: User; state: TokenState }>;

/**
 * What a personal access token stands for and in which state it is; null for an unknown one. One prepared look-up: that
 * it was used is noted, and written down later. Finding one that has been revoked ends what it was rotated into.
 */
export async function findPersonalToken(deps: Deps, value: string): Promise<PersonalTokenDetails | null> {
  const row = await findByDigest(deps.prepared, digest(value));
  if (row === null) return null;
  const state = tokenState(row, deps.clock());
  if (state === "live") enqueueUse(deps, "personalToken", { id: row.tokenId, lastUsedAt: row.lastUsedAt });
  if (state === "revoked")
    await endReusedFamily(deps, { id: row.tokenId, familyId: row.familyId, userId: row.user.id });
  const user: User = { ...row.user, state: row.user.state === "active" ? "active" : "blocked" };
  return { row, user, state };
}

/** The id and the owner of a token, by its value; null for an unknown one. It does not count as used. */
export async function identifyPersonalToken(
  deps: Deps,
  value: string,
): Promise<Readonly<{ id: number; userId: number }> | null> {
  const row = await findByDigest(deps.prepared, digest(value));
  return row && { id: row.tokenId, userId: row.user.id };
}

/** The token with this id, whatever its state; null when there is none. */
export const personalTokenById = (deps: Deps, id: number): Promise<PersonalToken | null> =>
  store.findById(deps.db, id);

/**
 * Ends a token, from the next request on.
 * @param by an administrator who ends somebody else's; null: its owner.
 * @returns whether it was alive until now.
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

/** Revokes all personal access tokens of a user. @returns how many were alive. */
export const revokePersonalTokensOf = (deps: Deps, userId: number): Promise<number> =>
  store.revokeAllOf(deps.db, userId, deps.clock());
