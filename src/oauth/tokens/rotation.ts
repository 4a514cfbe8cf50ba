import { parseScope } from "@/access/scopes";
import * as audit from "@/instance/audit/service";
import type { Settings } from "@/instance/settings/catalog";
import { digest, newToken } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { type AccessTokenOptions, accessTokenSeconds, newAccessToken } from "./access-token";
import { verifyCodeChallenge } from "./pkce";
import { readResource } from "./resource";
import { decideRefresh, isOutside, isWithin, type RefreshRefusal, refreshedScopes } from "./rules";
import { openResponse, sealResponse } from "./sealed-response";
import { type IssuedTokens, lifetimesOf } from "./service";
import * as store from "./store";
import * as sql from "./store.sql";

/**
 * The parameters of a refresh request. An optional parameter is undefined when the refresh request does not
 * contain it.
 */
export type RefreshRequest = Readonly<{
  refreshToken: string;
  /** The id of the authenticated client; null when the refresh request names no client. */
  applicationId: number | null;
  scope: string | undefined;
  redirectUri: string | undefined;
  codeVerifier: string | undefined;
  /** The thumbprint of the key of the DPoP proof of the request; null for a request without a DPoP proof. */
  dpopJkt: string | null;
  /** Whether the client is confidential. */
  isConfidential: boolean;
  /** The scopes that the instance allows an unregistered client; null for every other client. */
  admittedScopes: readonly string[] | null;
  /** The protected resource that the refresh request names (RFC 8707 §2.2). */
  resource: string | undefined;
  /** The format of the access tokens of the client; null for a random string. */
  accessToken: AccessTokenOptions | null;
}>;

export type RefreshOutcome =
  | { readonly response: object; readonly familyId: number }
  | { readonly refused: RefreshRefusal | "unknown" | "lost_race" };

type Call = Readonly<{
  deps: Deps;
  settings: Settings;
  request: RefreshRequest;
  /** Creates the response body for new tokens. */
  present: (issued: IssuedTokens) => Promise<object>;
}>;

/**
 * Rotates a refresh token (RFC 6749 §6). The client gets a new access token and a new refresh token, and the old
 * tokens stop working immediately. Exactly one of several concurrent callers gets tokens.
 * @returns the response that `present` created, or the earlier response when the request is repeated within
 * `refresh_retry_window`.
 */
export async function refresh(call: Call): Promise<RefreshOutcome> {
  // Both attempts use the time of the request. A pause of the process between the attempts therefore never
  // makes a simultaneous request a reuse after the reuse leeway.
  const now = call.deps.clock();
  const outcome = await attempt(call, now);
  // Another request may have used the refresh token during the first attempt to rotate the token. If the
  // current request repeats that other request, the second attempt returns the stored response; otherwise,
  // the second attempt refuses the current request.
  if (!("refused" in outcome) || outcome.refused !== "lost_race") return outcome;
  return attempt(call, now);
}

async function attempt(call: Call, now: Date): Promise<RefreshOutcome> {
  const { deps, settings, request } = call;
  const token = await sql.findByRefreshDigest(deps.prepared, digest(request.refreshToken));
  if (token === null) return { refused: "unknown" };
  const { family } = token;
  const scopes = refreshedScopes(family.scopes.split(" "), parseScope(request.scope ?? ""));
  const verification =
    family.codeChallenge === null ? "none" : verifyCodeChallenge(family.codeChallenge, request.codeVerifier);
  const decision = decideRefresh(token, {
    applicationId: request.applicationId,
    redirectUri: request.redirectUri,
    resource: requestedResource(call, family.resource),
    verifierWrong: verification === "wrong",
    dpopJkt: request.dpopJkt,
    isConfidential: request.isConfidential,
    scopeGone: request.admittedScopes !== null && isOutside(family.scopes, request.admittedScopes),
    scopes,
    storedResponse: scopes === null ? null : await storedResponse(call, token, scopes, now),
    now,
    reuseLeewaySeconds: settings.refresh_reuse_leeway,
    requiresRedirectUri: settings.refresh_requires_redirect_uri,
  });
  if ("rotate" in decision) return rotate(call, token, decision.rotate);
  if ("repeat" in decision) return { response: decision.repeat, familyId: family.id };
  if (decision.refused === "reused_late") await endReused(deps, token);
  return decision;
}

/**
 * Returns the protected resource that the refresh request names; undefined if it names no resource. Returns
 * null for a URI that is neither the resource of the grant nor a resource of this instance.
 */
function requestedResource({ deps, request }: Call, granted: string | null): string | null | undefined {
  const { resource } = request;
  return resource === undefined || resource === granted
    ? resource
    : readResource(resource, deps.config.issuer);
}

async function rotate(
  { deps, settings, request, present }: Call,
  token: sql.RefreshRow,
  scopes: readonly string[],
): Promise<RefreshOutcome> {
  const now = deps.clock();
  const { accessToken: options } = request;
  const expiresInSeconds = accessTokenSeconds(settings.oauth_access_token_expires_in, options);
  const accessToken = await newAccessToken(deps, options, {
    subject: String(token.user.id),
    scopes,
    resource: token.family.resource,
    authTime: token.family.authTime,
    acr: token.family.acr,
    amr: token.family.amr,
    createdAt: now,
    expiresInSeconds,
    dpopJkt: request.dpopJkt,
  });
  const refreshToken = newToken(deps.randomBytes, "refresh");
  const response = await present({
    accessToken,
    familyId: token.family.id,
    refreshToken,
    scopes,
    createdAt: now,
    expiresInSeconds: expiresInSeconds || null,
    userId: token.user.id,
    authTime: token.family.authTime,
    acr: token.family.acr,
    amr: token.family.amr,
    sid: token.family.sid,
    dpopJkt: request.dpopJkt,
  });
  const storesResponse = settings.refresh_retry_window > 0;
  const rotated = await sql.rotate(deps.prepared, {
    tokenId: token.tokenId,
    familyId: token.family.id,
    now,
    sealedAnswer: storesResponse
      ? sealResponse(deps, request.refreshToken, purposeOf(token, scopes, request.dpopJkt), response)
      : null,
    successor: {
      familyId: token.family.id,
      createdAt: now,
      accessDigest: digest(accessToken),
      refreshDigest: digest(refreshToken),
      applicationId: token.applicationId,
      userId: token.user.id,
      scopes: scopes.join(" "),
      dpopJkt: request.dpopJkt,
      ...lifetimesOf(settings, {
        now,
        familyCreatedAt: token.family.createdAt,
        refreshes: true,
        expiresInSeconds,
      }),
    },
  });
  return rotated ? { response, familyId: token.family.id } : { refused: "lost_race" };
}

/**
 * Returns the stored response to the refresh request that used this refresh token. The result is null outside
 * the retry window, and when the new tokens in the response have been used.
 */
async function storedResponse(
  { deps, settings, request }: Call,
  token: sql.RefreshRow,
  scopes: readonly string[],
  now: Date,
): Promise<object | null> {
  const { rotatedAt, sealedAnswer } = token;
  const seconds = settings.refresh_retry_window;
  if (seconds === 0 || rotatedAt === null || sealedAnswer === null) return null;
  if (!isWithin(seconds, rotatedAt, now)) return null;
  const response = openResponse(
    request.refreshToken,
    purposeOf(token, scopes, request.dpopJkt),
    sealedAnswer,
  );
  if (response === null || !("access_token" in response)) return null;
  const successor = await sql.findByAccessDigest(deps.prepared, digest(String(response.access_token)));
  return successor?.revokedAt === null ? response : null;
}

const purposeOf = (token: sql.RefreshRow, scopes: readonly string[], dpopJkt: string | null): string =>
  [token.tokenId, ...scopes, ...(dpopJkt === null ? [] : [`dpop:${dpopJkt}`])].join(" ");

/**
 * Revokes the token family of a reused refresh token, because the reuse shows that another party has the
 * token (RFC 9700 §4.14.2).
 */
async function endReused(deps: Deps, { family, user, applicationId }: sql.RefreshRow): Promise<void> {
  await deps.transaction(async (within) => {
    if ((await store.revokeFamilies(within.db, { id: family.id }, within.clock())) === 0) return;
    const details = { because: "refresh_reuse", familyId: family.id } as const;
    await audit.record(within, "token.family_revoked", details, { userId: user.id, applicationId });
  });
}
