import type { User } from "@/access/principal";
import { digest, newToken, TOKEN_PREFIXES } from "@/platform/crypto/token";
import type { PersonalTokenRow } from "@/platform/db/db";
import type { Deps } from "@/platform/deps";
import * as audit from "../audit/service";
import { noteUse } from "../last-use/service";
import { type TokenState, tokenState } from "../tokens/rules";
import {
  judgePersonalToken,
  type PersonalToken,
  type PersonalTokenDraft,
  type PersonalTokenProblems,
} from "./rules";
import * as store from "./store";

/** Whether a text claims to be a personal access token. */
export const isPersonalToken = (token: string): boolean => token.startsWith(TOKEN_PREFIXES.personal);

/** Makes a token. `value` is in the clear here and nowhere else: it is shown once. */
export async function createPersonalToken(
  deps: Deps,
  owner: User,
  draft: PersonalTokenDraft,
): Promise<
  { readonly token: PersonalToken; readonly value: string } | { readonly problems: PersonalTokenProblems }
> {
  const now = deps.clock();
  const judged = judgePersonalToken(draft, now);
  if ("problems" in judged) return judged;
  const { name, scopes, expiresAt } = judged.input;
  const value = newToken(deps.randomBytes, "personal");
  const token = await deps.transaction(async (db) => {
    await audit.record({ ...deps, db }, "personal_token.created", { scopes }, { userId: owner.id });
    return store.insert(db, {
      digest: digest(value),
      userId: owner.id,
      name,
      scopes: scopes.join(" "),
      createdAt: now,
      expiresAt,
    });
  });
  return { token, value };
}

export type FoundPersonalToken = Readonly<{ row: PersonalTokenRow; user: User; state: TokenState }>;

/**
 * What a personal access token stands for and in which state it is; null for an unknown one. One prepared look-up: that
 * it was used is noted, and written down later.
 */
export async function findPersonalToken(deps: Deps, value: string): Promise<FoundPersonalToken | null> {
  const row = await deps.hot.personalToken(digest(value));
  if (row === null) return null;
  const state = tokenState(row, deps.clock());
  if (state === "live") noteUse(deps, "personalToken", { id: row.tokenId, lastUsedAt: row.lastUsedAt });
  const user: User = { ...row.user, state: row.user.state === "active" ? "active" : "blocked" };
  return { row, user, state };
}

/** The id and the owner of a token, by its value; null for an unknown one. It does not count as used. */
export async function identifyPersonalToken(
  deps: Deps,
  value: string,
): Promise<Readonly<{ id: number; userId: number }> | null> {
  const row = await deps.hot.personalToken(digest(value));
  return row && { id: row.tokenId, userId: row.user.id };
}

/** The token with this id, whatever its state; null when there is none. */
export const personalTokenById = (deps: Deps, id: number): Promise<PersonalToken | null> =>
  store.findById(deps.db, id);

/**
 * Ends a token, from the next request on.
 * @returns whether it was alive until now.
 */
export const revokePersonalToken = (
  deps: Deps,
  token: Readonly<{ id: number; userId: number }>,
): Promise<boolean> =>
  deps.transaction(async (db) => {
    const wasAlive = await store.revoke(db, token.id, deps.clock());
    if (wasAlive) await audit.record({ ...deps, db }, "personal_token.revoked", {}, { userId: token.userId });
    return wasAlive;
  });
