import { type User, type UserKind, userStateOf } from "@/access/principal";
import { isScope } from "@/access/scopes";
import * as audit from "@/instance/audit/service";
import type { Settings } from "@/instance/settings/catalog";
import { digest, newToken, TOKEN_PREFIXES } from "@/kernel/crypto/token";
import type { Eventually } from "@/kernel/db/prepared";
import type { Deps } from "@/kernel/deps/deps";
import { admittedScopes } from "../applications/unregistered";
import { type BindingState, checkBinding, usesDpopScheme } from "../dpop/token-binding";
import type { UsedJwt } from "../used-jwts/claim-jwt";
import { type AccessTokenOptions, accessTokenSeconds, newAccessToken } from "./access-token";
import type { GrantRows } from "./insert-grant";
import { isOutside, type TokenState, tokenState } from "./rules";
import * as store from "./store";
import {
  type BearerRow,
  findByAccessDigest,
  findByRefreshDigest,
  insertGrantAlone,
  type RefreshRow,
  usageOf as storedUsage,
  userCounts,
} from "./store.sql";

/** New tokens in plain text, which the token endpoint sends to the client. */
export type IssuedTokens = Readonly<{
  accessToken: string;
  familyId: number;
  /** The refresh token; null for a grant without a refresh token. */
  refreshToken: string | null;
  /** The scopes of the access token. */
  scopes: readonly string[];
  createdAt: Date;
  /** The lifetime of the access token; null if the token never expires. */
  expiresInSeconds: number | null;
  userId: number;
  authTime: Date | null;
  /**
   * The authentication context class of the user and the authentication methods; null if the class and the
   * methods are unknown.
   */
  acr: string | null;
  amr: string | null;
  /** The session id for the ID token; null for an application that receives no logout tokens. */
  sid: string | null;
  /** The thumbprint of the key to which the access token is bound; null for a bearer token. */
  dpopJkt: string | null;
}>;

export type Grant = Readonly<{
  type: "authorization_code" | "password" | "device_code" | "client_credentials";
  applicationId: number | null;
  userId: number;
  scopes: readonly string[];
  redirectUri?: string;
  codeChallenge?: string | null;
  /** The protected resource for which the tokens may be used (RFC 8707); null for no restriction. */
  resource?: string | null;
  authTime?: Date;
  acr?: string | null;
  amr?: string | null;
  /** The session id for ID tokens. */
  sid?: string | null;
  /** Whether the grant stays valid after the session has ended. */
  offlineAccess?: boolean;
  authorizationCodeId?: number;
  /** The thumbprint of the key of the DPoP proof of the request; null for a request without a DPoP proof. */
  dpopJkt?: string | null;
  /** The format of the access token; absent for a random string. */
  accessToken?: AccessTokenOptions;
}>;

/** A grant whose rows are not stored yet. */
export type NewGrant = Readonly<{ rows: GrantRows; issued: Omit<IssuedTokens, "familyId"> }>;

/**
 * Creates the tokens of a grant: an access token and a refresh token. The password grant and the client credentials
 * grant have no refresh token.
 */
export async function newGrant(deps: Deps, settings: Settings, grant: Grant): Promise<NewGrant> {
  const createdAt = deps.clock();
  const scopes = grant.scopes.join(" ");
  const { applicationId, userId } = grant;
  const authTime = grant.authTime ?? null;
  const acr = grant.acr ?? null;
  const amr = grant.amr ?? null;
  const sid = grant.sid ?? null;
  const dpopJkt = grant.dpopJkt ?? null;
  const options = grant.accessToken ?? null;
  const resource = grant.resource ?? null;
  const expiresInSeconds = accessTokenSeconds(settings.oauth_access_token_expires_in, options);
  const subject = grant.type === "client_credentials" && options ? options.clientUid : String(userId);
  const authentication = { authTime, acr, amr };
  const facts = {
    subject,
    scopes: grant.scopes,
    resource,
    ...authentication,
    createdAt,
    expiresInSeconds,
    dpopJkt,
  };
  const accessToken = await newAccessToken(deps, options, facts);
  const refreshes = grant.type !== "password" && grant.type !== "client_credentials";
  const refreshToken = refreshes ? newToken(deps.randomBytes, "refresh") : null;
  return {
    rows: {
      family: {
        applicationId,
        userId,
        grantType: grant.type,
        scopes,
        redirectUri: grant.redirectUri ?? null,
        codeChallenge: grant.codeChallenge ?? null,
        resource,
        ...authentication,
        sid,
        offlineAccess: grant.offlineAccess ?? false,
        authorizationCodeId: grant.authorizationCodeId ?? null,
        createdAt,
      },
      token: {
        accessDigest: digest(accessToken),
        refreshDigest: refreshToken === null ? null : digest(refreshToken),
        applicationId,
        userId,
        scopes,
        createdAt,
        dpopJkt,
        ...lifetimesOf(settings, { now: createdAt, familyCreatedAt: createdAt, refreshes, expiresInSeconds }),
      },
    },
    issued: {
      accessToken,
      refreshToken,
      scopes: grant.scopes,
      createdAt,
      expiresInSeconds: expiresInSeconds || null,
      userId,
      ...authentication,
      sid,
      dpopJkt,
    },
  };
}

/** Creates and stores the tokens of a grant. Callers must be inside a transaction. */
export async function issue(deps: Deps, settings: Settings, grant: Grant): Promise<IssuedTokens> {
  const { rows, issued } = await newGrant(deps, settings, grant);
  const familyId = await store.insertFamily(deps.db, rows.family);
  await store.insert(deps.db, { ...rows.token, familyId });
  return { ...issued, familyId };
}

/**
 * Creates and stores the tokens of a grant, in a separate transaction.
 * @param usedJwt the row of the client assertion that the transaction also marks as used; null for none.
 * @returns null if the client assertion was used before.
 */
export async function issueAlone(
  deps: Deps,
  settings: Settings,
  grant: Grant,
  usedJwt: UsedJwt | null,
): Promise<IssuedTokens | null> {
  const { rows, issued } = await newGrant(deps, settings, grant);
  const familyId = await insertGrantAlone(deps.prepared, { ...rows, usedJwt });
  return familyId === false ? null : { ...issued, familyId };
}

/**
 * Returns the times at which new tokens expire. `refreshExpiresAt` depends on the idle limit and the absolute
 * limit of refresh tokens; a limit of 0 means no limit. `endsAt` is the later time of `expiresAt` and
 * `refreshExpiresAt`.
 * @param times.expiresInSeconds the lifetime of the access token; 0 means unlimited.
 */
export function lifetimesOf(
  settings: Settings,
  {
    now,
    familyCreatedAt,
    refreshes,
    expiresInSeconds,
  }: Readonly<{ now: Date; familyCreatedAt: Date; refreshes: boolean; expiresInSeconds: number }>,
): Readonly<Record<"expiresAt" | "refreshExpiresAt" | "endsAt", Date | null>> {
  const after = (start: Date, seconds: number): Date | null =>
    seconds === 0 ? null : new Date(start.getTime() + seconds * 1000);
  const idle = after(now, settings.refresh_token_idle_limit);
  const absolute = after(familyCreatedAt, settings.refresh_token_absolute_limit);
  const expiresAt = after(now, expiresInSeconds);
  if (!refreshes) return { expiresAt, refreshExpiresAt: null, endsAt: expiresAt };
  const refreshExpiresAt = inOrder(idle, absolute)[0] ?? null;
  const endsAt = expiresAt && refreshExpiresAt && (inOrder(expiresAt, refreshExpiresAt)[1] ?? null);
  return { expiresAt, refreshExpiresAt, endsAt };
}

const inOrder = (...times: readonly (Date | null)[]): readonly Date[] =>
  times.filter((time) => time !== null).sort((a, b) => a.getTime() - b.getTime());

/**
 * Revokes every token that was issued for an authorization code, after a second use has shown that another
 * party has the code.
 */
export const revokeDescendantsOfCode = (deps: Deps, authorizationCodeId: number): Promise<number> =>
  store.revokeFamilies(deps.db, { authorizationCodeId }, deps.clock());

/**
 * Revokes every token of a user, for one application or for all applications. Callers must be inside a
 * transaction.
 * @returns the number of active grants that were revoked.
 */
export const revokeAllOf = (
  deps: Deps,
  about: Readonly<{ userId: number; applicationId: number }> | Readonly<{ userId: number }>,
): Promise<number> => store.revokeFamilies(deps.db, about, deps.clock());

/** The state of an access token that a request presents. */
export type BearerState = TokenState | Exclude<BindingState, "bound">;

/**
 * Returns the state of a stored token. For a token of a client without an owner, the function reads the
 * settings, so that a change of `client_id_metadata_documents` or `dynamic_client_registration` applies to the
 * next request with the token.
 */
function stateOf(
  deps: Deps,
  token: Parameters<typeof tokenState>[0] & StoredScopes & Readonly<{ unregistered: boolean }>,
): Eventually<TokenState> {
  return token.unregistered ? stateOfUnregistered(deps, token) : tokenState(token, deps.clock());
}

type StoredScopes = Readonly<{ applicationUid: string | null; scopes: string }>;

async function stateOfUnregistered(
  deps: Deps,
  token: Parameters<typeof tokenState>[0] & StoredScopes,
): Promise<TokenState> {
  const scopes = token.scopes.split(" ").filter(isScope);
  const admitted = await admittedScopes(deps, { uid: token.applicationUid ?? "", scopes });
  return tokenState({ ...token, clientNotAdmitted: isOutside(token.scopes, admitted) }, deps.clock());
}

/**
 * Returns the row, the user and the state of an access token, by one prepared query; null for an unknown
 * token. A token that is bound to a key is valid only in a request that proves the possession of the key.
 * @param request the request that presents the token; null if the request cannot contain a DPoP proof.
 */
export async function findBearer(
  deps: Deps,
  accessToken: string,
  request: Request | null,
): Promise<Readonly<{ row: BearerRow; user: User; state: BearerState }> | null> {
  const row = await findByAccessDigest(deps.prepared, digest(accessToken));
  if (row === null) return null;
  const user: User = { ...row.user, state: userStateOf(row.user.state) };
  const state = await stateOf(deps, row);
  const jkt = row.dpopJkt;
  if (state !== "live" || (jkt === null && (request === null || !usesDpopScheme(request))))
    return { row, user, state };
  const binding =
    request === null ? "proof_missing" : await checkBinding(deps, request, { accessToken, jkt });
  return { row, user, state: binding === "bound" ? "live" : binding };
}

/** The details of an access token or a refresh token. */
export type TokenDetails = Readonly<{
  kind: "access" | "refresh";
  familyId: number;
  applicationId: number | null;
  /** The `client_id` of the application of the token. */
  applicationUid: string | null;
  user: Readonly<{ id: number; username: string }>;
  /** The subject of the token: the id of the user, or the `client_id` of a client that acts for itself. */
  subject: string;
  scopes: readonly string[];
  /** The protected resource of the grant (RFC 8707); null for a grant without a resource. */
  resource: string | null;
  /**
   * The time and the authentication context class of the user's authentication; null if the time and the
   * class are unknown.
   */
  authTime: Date | null;
  acr: string | null;
  createdAt: Date;
  /** The expiry of this token; null if the token never expires. */
  expiresAt: Date | null;
  /** The thumbprint of the key to which the access token is bound; null for a bearer token. */
  dpopJkt: string | null;
  state: TokenState;
}>;

/**
 * Returns an access or refresh token in any state; null for an unknown token. The prefix determines the kind
 * of the token, so the function runs only one prepared query.
 */
export async function findToken(deps: Deps, token: string): Promise<TokenDetails | null> {
  const kind = token.startsWith(TOKEN_PREFIXES.refresh) ? "refresh" : "access";
  const key = digest(token);
  const half =
    kind === "refresh"
      ? refreshHalf(await findByRefreshDigest(deps.prepared, key))
      : await findByAccessDigest(deps.prepared, key);
  if (half === null) return null;
  const { familyId, applicationId, applicationUid, resource, authTime, acr, createdAt, expiresAt, dpopJkt } =
    half;
  const facts = {
    familyId,
    applicationId,
    applicationUid,
    resource,
    authTime,
    acr,
    createdAt,
    expiresAt,
    dpopJkt,
  };
  const user = { id: half.user.id, username: half.user.username };
  const subject = subjectOf(half);
  const state = await stateOf(deps, half);
  return { kind, ...facts, user, subject, scopes: half.scopes.split(" "), state };
}

/** Returns the subject of a token. A client that acts for itself is its own subject (RFC 9068 §2.2). */
const subjectOf = ({
  user,
  applicationUid,
}: Readonly<{ user: Readonly<{ id: number; kind?: UserKind }>; applicationUid: string | null }>): string =>
  user.kind === "application_bot" && applicationUid !== null ? applicationUid : String(user.id);

/**
 * Returns the details of the refresh token in a database row. A refresh token has all granted scopes, even if
 * its access token has fewer scopes.
 */
const refreshHalf = (row: RefreshRow | null) =>
  row && {
    ...row,
    familyId: row.family.id,
    scopes: row.family.scopes,
    resource: row.family.resource,
    authTime: row.family.authTime,
    acr: row.family.acr,
    expiresAt: row.refreshExpiresAt,
  };

/** The number of users of an application, and the number of its active grants. */
export type ApplicationUsage = Readonly<{ users: number; grants: number }>;

export const usageOf = (deps: Deps, applicationId: number): Promise<ApplicationUsage> =>
  storedUsage(deps.reads, applicationId);

/**
 * Returns the number of users with unrevoked grants for each of these applications. The result contains only
 * applications that have users.
 */
export async function countUsersOf(
  deps: Deps,
  applicationIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = applicationIds.length === 0 ? [] : await userCounts(deps.reads, applicationIds);
  return new Map(rows.map(({ id, users }) => [id, users]));
}

/**
 * Revokes all tokens of the grant of this token, including the successors of a rotated token (RFC 7009 §2.1).
 * Tokens that are already revoked do not change.
 * @param by the revoking party: an authenticated client, the holder of a token without a client, or the
 * operator of the instance.
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
