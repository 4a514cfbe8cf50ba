/** The state of an access token, in the order in which a request must hear of it. */
export type TokenState = "live" | "expired" | "revoked" | "user_blocked";

export function tokenState(
  token: Readonly<{ expiresAt: Date | null; revokedAt: Date | null; user: Readonly<{ state: string }> }>,
  now: Date,
): TokenState {
  if (token.expiresAt !== null && now >= token.expiresAt) return "expired";
  if (token.revokedAt !== null) return "revoked";
  return token.user.state === "active" ? "live" : "user_blocked";
}
