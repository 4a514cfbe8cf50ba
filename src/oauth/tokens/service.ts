import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Settings } from "@/instance/settings/catalog";
import { digest, newToken, TOKEN_PREFIXES } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { type TokenState, tokenState } from "./rules";
import * as store from "./store";
import { type BearerRow, findByAccessDigest, findByRefreshDigest, type RefreshRow } from "./store.sql";

/** Fresh tokens, in the clear: on their way to the client and nowhere else. */
export type IssuedTokens = Readonly<{
  accessToken: string;
  familyId: number;
  /** Null where the grant gives none. */
  refreshToken: string | null;
  /** Of the access token. */
  scopes: readonly string[];
  createdAt: Date;
  /** Null: never expires. */
  expiresInSeconds: number | null;
  userId: number;
  authTime: Date | null;
}>;

export type Grant = Readonly<{
  type: "authorization_code" | "password" | "device_code";
  applicationId: number | null;
  userId: number;
  scopes: readonly string[];
  redirectUri?: string;
  codeChallenge?: string | null;
  authTime?: Date;
  authorizationCodeId?: number;
}>;

/** Begins a family: an access token and, for all but the password grant, a refresh token. Call it inside the transaction that claims the grant. */
export async function issue(deps: Deps, settings: Settings, grant: Grant): Promise<IssuedTokens> {
  const createdAt = deps.clock();
  const familyId = await store.insertFamily(deps.db, {
    applicationId: grant.applicationId,
    userId: grant.userId,
    grantType: grant.type,
    scopes: grant.scopes.join(" "),
    redirectUri: grant.redirectUri ?? null,
    codeChallenge: grant.codeChallenge ?? null,
    authTime: grant.authTime ?? null,
    authorizationCodeId: grant.authorizationCodeId ?? null,
    createdAt,
  });
  const accessToken = newToken(deps.randomBytes, "access");
  const refreshToken = grant.type === "password" ? null : newToken(deps.randomBytes, "refresh");
  await store.insert(deps.db, {
    familyId,
    accessDigest: digest(accessToken),
    refreshDigest: refreshToken === null ? null : digest(refreshToken),
    applicationId: grant.applicationId,
    userId: grant.userId,
    scopes: grant.scopes.join(" "),
    createdAt,
    ...lifetimesOf(settings, {
      now: createdAt,
      familyCreatedAt: createdAt,
      refreshes: refreshToken !== null,
    }),
  });
  return {
    accessToken,
    familyId,
    refreshToken,
    scopes: grant.scopes,
    createdAt,
    expiresInSeconds: settings.oauth_access_token_expires_in || null,
    userId: grant.userId,
    authTime: grant.authTime ?? null,
  };
}

/**
 * When a token made now ends: the access token, the refresh token by its idle and absolute limits (0: never), and the
 * last of the two. Without a refresh token, that is the access token.
 */
export function lifetimesOf(
  settings: Settings,
  { now, familyCreatedAt, refreshes }: Readonly<{ now: Date; familyCreatedAt: Date; refreshes: boolean }>,
): Readonly<Record<"expiresAt" | "refreshExpiresAt" | "endsAt", Date | null>> {
  const after = (start: Date, seconds: number): Date | null =>
    seconds === 0 ? null : new Date(start.getTime() + seconds * 1000);
  const idle = after(now, settings.refresh_token_idle_limit);
  const absolute = after(familyCreatedAt, settings.refresh_token_absolute_limit);
  const expiresAt = after(now, settings.oauth_access_token_expires_in);
  if (!refreshes) return { expiresAt, refreshExpiresAt: null, endsAt: expiresAt };
  const refreshExpiresAt = inOrder(idle, absolute)[0] ?? null;
  const endsAt = expiresAt && refreshExpiresAt && (inOrder(expiresAt, refreshExpiresAt)[1] ?? null);
  return { expiresAt, refreshExpiresAt, endsAt };
}

const inOrder = (...times: readonly (Date | null)[]): readonly Date[] =>
  times.filter((time) => time !== null).sort((a, b) => a.getTime() - b.getTime());

/** Ends every token that descends from an authorization code: its replay shows that somebody else has it. */
export const revokeDescendantsOfCode = (deps: Deps, authorizationCodeId: number): Promise<number> =>
  store.revokeFamilies(deps.db, { authorizationCodeId }, deps.clock());

/**
 * Ends every token that a person has given an application. Call it inside a transaction.
 * @returns how many grants were alive.
 */
export const revokeAllOf = (
  deps: Deps,
  about: Readonly<{ userId: number; applicationId: number }> | Readonly<{ userId: number }>,
): Promise<number> => store.revokeFamilies(deps.db, about, deps.clock());

/** What a bearer token stands for and in which state it is; null for an unknown one. One prepared look-up. */
export async function findBearer(
  deps: Deps,
  accessToken: string,
): Promise<Readonly<{ row: BearerRow; user: User; state: TokenState }> | null> {
  const row = await findByAccessDigest(deps.prepared, digest(accessToken));
  if (row === null) return null;
  const user: User = { ...row.user, state: row.user.state === "active" ? "active" : "blocked" };
  return { row, user, state: tokenState(row, deps.clock()) };
}

/** An access or a refresh token that was found by its value. */
export type TokenDetails = Readonly<{
  kind: "access" | "refresh";
  familyId: number;
  applicationId: number | null;
  /** The `client_id` of its application. */
  applicationUid: string | null;
  user: Readonly<{ id: number; username: string }>;
  scopes: readonly string[];
  createdAt: Date;
  /** Of this half. Null: never. */
  expiresAt: Date | null;
  state: TokenState;
}>;

/** Finds a token of either kind, whatever its state; its prefix tells the kind, so this is one prepared look-up. */
export async function findToken(deps: Deps, token: string): Promise<TokenDetails | null> {
  const kind = token.startsWith(TOKEN_PREFIXES.refresh) ? "refresh" : "access";
  const key = digest(token);
  const half =
    kind === "refresh"
      ? refreshHalf(await findByRefreshDigest(deps.prepared, key))
      : await findByAccessDigest(deps.prepared, key);
  if (half === null) return null;
  const { familyId, applicationId, applicationUid, createdAt, expiresAt } = half;
  const facts = { familyId, applicationId, applicationUid, createdAt, expiresAt };
  const user = { id: half.user.id, username: half.user.username };
  return { kind, ...facts, user, scopes: half.scopes.split(" "), state: tokenState(half, deps.clock()) };
}

/** A refresh token stands for all that was granted, whatever its access token was narrowed to. */
const refreshHalf = (row: RefreshRow | null) =>
  row && { ...row, familyId: row.family.id, scopes: row.family.scopes, expiresAt: row.refreshExpiresAt };

/** How many people an application acts for, and by how many grants. */
export type ApplicationUsage = Readonly<{ users: number; grants: number }>;

export const usageOf = (deps: Deps, applicationId: number): Promise<ApplicationUsage> =>
  store.usageOf(deps.db, applicationId);

/**
 * Ends all that the grant of this token has produced, the successors of a token that was rotated meanwhile included
 * (RFC 7009 §2.1). What has ended before stays as it is.
 * @param by an authenticated client, whoever holds a token that was issued without one, or the operator of the instance.
 */
export async function revokeGrantOf(
  deps: Deps,
  token: Pick<TokenDetails, "familyId" | "applicationId" | "user">,
  by: "client" | "holder" | "operator",
): Promise<void> {
  await deps.transaction(async (within) => {
    if ((await store.revokeFamilies(within.db, { id: token.familyId }, within.clock())) === 0) return;
    const about = { userId: token.user.id, applicationId: token.applicationId };
    await audit.record(within, "token.revoked", { by }, about);
  });
}
