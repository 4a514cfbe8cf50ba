/** The state of an access token, in the order in which a request must hear of it. */
export type TokenState = "live" | "expired" | "revoked" | "application_blocked" | "user_blocked";

export function tokenState(
  token: Readonly<{
    expiresAt: Date | null;
    revokedAt: Date | null;
    /** Absent where no application can be involved. */
    applicationBlocked?: boolean;
    user: Readonly<{ state: string }>;
  }>,
  now: Date,
): TokenState {
  if (token.expiresAt !== null && now >= token.expiresAt) return "expired";
  if (token.revokedAt !== null) return "revoked";
  if (token.applicationBlocked) return "application_blocked";
  return token.user.state === "active" ? "live" : "user_blocked";
}

/** A refresh token as it was found, with what its family was granted. */
export type RefreshToken = Readonly<{
  applicationId: number | null;
  refreshExpiresAt: Date | null;
  revokedAt: Date | null;
  rotatedAt: Date | null;
  user: Readonly<{ state: string }>;
  family: Readonly<{ revokedAt: Date | null; redirectUri: string | null }>;
}>;

/** What the client presents, and what holds at that moment. */
export type RefreshAttempt = Readonly<{
  /** Null: no client was named. */
  applicationId: number | null;
  redirectUri: string | undefined;
  /** Whether a verifier was sent that does not fit the challenge of the grant. */
  verifierWrong: boolean;
  /** Of the new access token; null when more was asked for than was granted. */
  scopes: readonly string[] | null;
  /** The answer to an earlier refresh with this token, if it may be given again. */
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
  /** Reused so late that somebody else must have it: the family ends. */
  | "reused_late"
  | "expired"
  | "user_blocked"
  | "redirect_uri_missing"
  | "redirect_uri_differs"
  | "verifier_wrong"
  | "scope_exceeds";

/** Spend the token for a pair with these scopes, give the answer of before again, or refuse. */
export type RefreshVerdict =
  | { readonly rotate: readonly string[] }
  | { readonly repeat: object }
  | { readonly refused: RefreshRefusal };

/** Judges a refresh (RFC 6749 §6, RFC 9700 §4.14.2). Only the client that a token was issued to can end its family. */
export function decideRefresh(token: RefreshToken, attempt: RefreshAttempt): RefreshVerdict {
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

/** What the request has wrong beside its token and its scope. A grant without redirect URI has none to repeat. */
function requestProblem(token: RefreshToken, attempt: RefreshAttempt): RefreshRefusal | null {
  const original = token.family.redirectUri;
  const { redirectUri } = attempt;
  if (token.user.state !== "active") return "user_blocked";
  if (original !== null && redirectUri === undefined && attempt.requiresRedirectUri)
    return "redirect_uri_missing";
  if (original !== null && redirectUri !== undefined && redirectUri !== original)
    return "redirect_uri_differs";
  return attempt.verifierWrong ? "verifier_wrong" : null;
}

/** Whether no more than `seconds` have passed. */
export const isWithin = (seconds: number, since: Date, now: Date): boolean =>
  now.getTime() - since.getTime() <= seconds * 1000;

/**
 * The scopes of a refreshed access token: those asked for, or all that were granted.
 * @param words as asked for; null when the text was no list of scopes.
 * @returns null when one was not granted (RFC 6749 §6).
 */
export function refreshedScopes(
  granted: readonly string[],
  words: readonly string[] | null,
): readonly string[] | null {
  if (words === null || !words.every((word) => granted.includes(word))) return null;
  return words.length === 0 ? granted : granted.filter((scope) => words.includes(scope));
}

/** Whether a stored list of scopes has one that an application does not have. */
export const isOutside = (stored: string, scopes: readonly string[]): boolean =>
  stored.split(" ").some((scope) => !scopes.includes(scope));
