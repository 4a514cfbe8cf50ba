import type { User } from "@/access/principal";
import { digest, newToken } from "@/platform/crypto/token";
import type { BearerRow } from "@/platform/db/db";
import type { Deps } from "@/platform/deps";
import { SETTINGS } from "../settings/catalog";
import { type TokenState, tokenState } from "./rules";
import * as store from "./store";

/** Fresh tokens, in the clear: on their way to the client and nowhere else. */
export type Issued = Readonly<{
  accessToken: string;
  refreshToken: string;
  scopes: readonly string[];
  createdAt: Date;
  /** Null: never expires. */
  expiresInSeconds: number | null;
}>;

export type Grant = Readonly<{
  applicationId: number | null;
  userId: number;
  scopes: readonly string[];
  authorizationCodeId: number | null;
}>;

/** Issues an access token with its refresh token. Call it inside the transaction that claims the grant. */
export async function issue(deps: Deps, grant: Grant): Promise<Issued> {
  const accessToken = newToken(deps.randomBytes, "access");
  const refreshToken = newToken(deps.randomBytes, "refresh");
  const createdAt = deps.clock();
  const lifetime = SETTINGS.oauth_access_token_expires_in;
  await store.insert(deps.db, {
    accessDigest: digest(accessToken),
    refreshDigest: digest(refreshToken),
    applicationId: grant.applicationId,
    userId: grant.userId,
    authorizationCodeId: grant.authorizationCodeId,
    scopes: grant.scopes.join(" "),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + lifetime * 1000),
  });
  return { accessToken, refreshToken, scopes: grant.scopes, createdAt, expiresInSeconds: lifetime };
}

/** Ends every token that descends from an authorization code: its replay shows that somebody else has it. */
export const revokeDescendantsOfCode = (deps: Deps, authorizationCodeId: number): Promise<void> =>
  store.revokeByCode(deps.db, authorizationCodeId, deps.clock());

/** What a bearer token stands for and in which state it is; null for an unknown one. One prepared look-up. */
export async function findBearer(
  deps: Deps,
  accessToken: string,
): Promise<Readonly<{ row: BearerRow; user: User; state: TokenState }> | null> {
  const row = await deps.hot.bearer(digest(accessToken));
  if (row === null) return null;
  const user: User = { ...row.user, state: row.user.state === "active" ? "active" : "blocked" };
  return { row, user, state: tokenState(row, deps.clock()) };
}
