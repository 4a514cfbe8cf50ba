import { SCOPES, type Scope } from "@/access/scopes";

/** The maximum age of an authentication that allows sensitive actions. */
export const AUTHENTICATION_MINUTES_MAX = 10;

/**
 * Returns whether an authentication is recent enough for sensitive actions.
 * @param provenAt the time of the last authentication of the user in this browser.
 */
export const isRecentlyAuthenticated = (provenAt: Date, now: Date): boolean =>
  now.getTime() - provenAt.getTime() <= AUTHENTICATION_MINUTES_MAX * 60_000;

/**
 * Returns whether a session exceeds the idle limit.
 * @param limitSeconds the idle limit; 0 for no limit.
 * @param precisionMs the maximum difference in milliseconds between the actual and the stored time of the
 * last use.
 */
export const isIdle = (
  session: Readonly<{ createdAt: Date; provenAt: Date | null; lastSeenAt: Date | null }>,
  limitSeconds: number,
  precisionMs: number,
  now: Date,
): boolean => {
  const times = [session.createdAt, session.provenAt, session.lastSeenAt].map((time) => time?.getTime() ?? 0);
  return limitSeconds > 0 && now.getTime() - Math.max(...times) > limitSeconds * 1000 + precisionMs;
};

/**
 * Returns whether a user must re-authenticate before allowing these scopes (RFC 9470, RFC 8628 §5.4). Every
 * user must re-authenticate before allowing scopes with full access. Only users with a second factor must
 * re-authenticate before allowing scopes with write access.
 */
export const needsStepUp = (
  scopes: readonly Scope[],
  user: Readonly<{ provenAt: Date; twoFactor: boolean }>,
  now: Date,
): boolean =>
  !isRecentlyAuthenticated(user.provenAt, now) &&
  scopes.some((scope) => {
    const { risk } = SCOPES[scope];
    return risk === "full" || (risk === "write" && user.twoFactor);
  });
