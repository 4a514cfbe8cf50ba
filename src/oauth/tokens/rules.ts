import { isSameResource } from "./resource";

/**
 * The state of a token. If several states apply, `tokenState` returns the first state in the order of its
 * checks.
 */
export type TokenState =
  | "live"
  | "expired"
  | "revoked"
  | "application_blocked"
  /** The settings no longer allow the client without an owner, or no longer allow a scope of the token. */
  | "client_not_admitted"
  | "user_blocked";

export function tokenState(
  token: Readonly<{
    expiresAt: Date | null;
    revokedAt: Date | null;
    /** Whether the application is blocked; undefined for a token without an application. */
    applicationBlocked?: boolean;
    /** Whether the settings refuse the client without an owner; undefined for all other tokens. */
    clientNotAdmitted?: boolean;
    /**
     * Whether the creator of a bot token or an impersonation token has lost the required right; undefined for
     * other kinds of tokens.
     */
    rightEnded?: boolean;
    user: Readonly<{ state: string }>;
  }>,
  now: Date,
): TokenState {
  if (token.expiresAt !== null && now >= token.expiresAt) return "expired";
  if (token.revokedAt !== null || token.rightEnded) return "revoked";
  if (token.applicationBlocked) return "application_blocked";
  if (token.clientNotAdmitted) return "client_not_admitted";
  return token.user.state === "active" ? "live" : "user_blocked";
}

/** A stored refresh token with its family. */
export type RefreshToken = Readonly<{
  applicationId: number | null;
  refreshExpiresAt: Date | null;
  revokedAt: Date | null;
  rotatedAt: Date | null;
  /** The thumbprint of the key of the access token that was issued together with the refresh token. */
  dpopJkt: string | null;
  user: Readonly<{ state: string }>;
  family: Readonly<{ revokedAt: Date | null; redirectUri: string | null; resource: string | null }>;
}>;

/** The values on which the decision about a refresh request depends. */
export type RefreshAttempt = Readonly<{
  /** The id of the client; null when the refresh request names no client. */
  applicationId: number | null;
  redirectUri: string | undefined;
  /**
   * The protected resource that the refresh request names; undefined if it names no resource, null for an
   * unknown URI.
   */
  resource: string | null | undefined;
  /** The thumbprint of the key of the DPoP proof of the request; null for a request without a DPoP proof. */
  dpopJkt: string | null;
  /**
   * Whether the client must authenticate. A refresh by a confidential client may change the DPoP key (RFC
   * 9449 §5).
   */
  isConfidential: boolean;
  /** Whether the request has a code verifier that does not match the code challenge of the grant. */
  verifierWrong: boolean;
  /** Whether the grant of an unregistered client has a scope that the instance no longer allows. */
  scopeGone: boolean;
  /** The scopes of the new access token; null when the client requests a scope that was not granted. */
  scopes: readonly string[] | null;
  /** The stored response to an earlier refresh with the same token, if the response may be sent again. */
  storedResponse: object | null;
  now: Date;
  reuseLeewaySeconds: number;
  requiresRedirectUri: boolean;
}>;

export type RefreshRefusal =
  | "client_missing"
  | "foreign"
  | "revoked"
  | "reused"
  /**
   * The refresh token was reused after the reuse leeway (`refresh_reuse_leeway`). Another party probably has
   * the token, so the token family is revoked.
   */
  | "reused_late"
  | "expired"
  | "user_blocked"
  | "redirect_uri_missing"
  | "redirect_uri_differs"
  | "resource_differs"
  | "verifier_wrong"
  | "scope_gone"
  /** The tokens are bound to a key, but the refresh request has no DPoP proof. */
  | "proof_missing"
  | "proof_key_differs"
  | "scope_exceeds";

/**
 * The decision about a token refresh: rotate the token with these scopes, repeat the earlier response, or
 * refuse the request.
 */
export type RefreshDecision =
  | { readonly rotate: readonly string[] }
  | { readonly repeat: object }
  | { readonly refused: RefreshRefusal };

/**
 * Returns the decision about a token refresh (RFC 6749 §6, RFC 9700 §4.14.2). The reuse of a token causes the
 * revocation of its family only if the client of the token sends the request.
 */
export function decideRefresh(token: RefreshToken, attempt: RefreshAttempt): RefreshDecision {
  const { scopes, storedResponse } = attempt;
  const refused = tokenProblem(token, attempt) ?? requestProblem(token, attempt);
  if (refused !== null) return { refused };
  if (scopes === null) return { refused: "scope_exceeds" };
  return storedResponse === null ? { rotate: scopes } : { repeat: storedResponse };
}

function tokenProblem(token: RefreshToken, attempt: RefreshAttempt): RefreshRefusal | null {
  const { rotatedAt, refreshExpiresAt } = token;
  const { applicationId, now } = attempt;
  if (token.applicationId !== applicationId) return applicationId === null ? "client_missing" : "foreign";
  if (token.family.revokedAt !== null) return "revoked";
  if (rotatedAt !== null) {
    if (attempt.storedResponse !== null) return null;
    return isWithin(attempt.reuseLeewaySeconds, rotatedAt, now) ? "reused" : "reused_late";
  }
  if (token.revokedAt !== null) return "revoked";
  return refreshExpiresAt !== null && now >= refreshExpiresAt ? "expired" : null;
}

/**
 * Returns the reason why a refresh request is refused because of its user, its parameters or its DPoP proof;
 * null if the request is accepted. If the grant has no redirect URI, a refresh request needs no redirect URI.
 */
function requestProblem(token: RefreshToken, attempt: RefreshAttempt): RefreshRefusal | null {
  const original = token.family.redirectUri;
  const { redirectUri } = attempt;
  if (token.user.state !== "active") return "user_blocked";
  if (original !== null && redirectUri === undefined && attempt.requiresRedirectUri)
    return "redirect_uri_missing";
  if (original !== null && redirectUri !== undefined && redirectUri !== original)
    return "redirect_uri_differs";
  if (!isSameResource(attempt.resource, token.family.resource)) return "resource_differs";
  if (attempt.scopeGone) return "scope_gone";
  if (attempt.verifierWrong) return "verifier_wrong";
  if (token.dpopJkt === null) return null;
  if (attempt.dpopJkt === null) return "proof_missing";
  return attempt.dpopJkt === token.dpopJkt || attempt.isConfidential ? null : "proof_key_differs";
}

/** Returns whether at most `seconds` have passed between `since` and `now`. */
export const isWithin = (seconds: number, since: Date, now: Date): boolean =>
  now.getTime() - since.getTime() <= seconds * 1000;

/**
 * Returns the scopes of a refreshed access token: the requested scopes, or all granted scopes.
 * @param words the requested scopes; null when the parameter is malformed.
 * @returns null when a requested scope was not granted (RFC 6749 §6).
 */
export function refreshedScopes(
  granted: readonly string[],
  words: readonly string[] | null,
): readonly string[] | null {
  if (words === null || !words.every((word) => granted.includes(word))) return null;
  return words.length === 0 ? granted : granted.filter((scope) => words.includes(scope));
}

/** Returns whether a stored scope list has a scope that the application does not have. */
export const isOutside = (stored: string, scopes: readonly string[]): boolean =>
  stored.split(" ").some((scope) => !scopes.includes(scope));
