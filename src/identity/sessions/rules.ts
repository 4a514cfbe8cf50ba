import { SCOPES, type Scope } from "@/access/scopes";

/** How long a proof of who somebody is stands for what reaches far: wide scopes, and the second factor itself. */
export const PROOF_MINUTES = 10;

/** @param provenAt when the person last proved in this browser who they are. */
export const isRecentProof = (provenAt: Date, now: Date): boolean =>
  now.getTime() - provenAt.getTime() <= PROOF_MINUTES * 60_000;

/**
 * Whether a session has been unused for longer than it may be.
 * @param limitSeconds 0: it never ends by that.
 * @param precisionMs how much later than written down the last use can have been.
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
 * Whether a person must prove anew who they are before they can allow these scopes: anybody, for the whole account;
 * for anything that writes, whoever has a second factor to do it with (RFC 9470; RFC 8628 §5.4).
 */
export const needsStepUp = (
  scopes: readonly Scope[],
  user: Readonly<{ provenAt: Date; twoFactor: boolean }>,
  now: Date,
): boolean =>
  !isRecentProof(user.provenAt, now) &&
  scopes.some((scope) => {
    const { risk } = SCOPES[scope];
    return risk === "full" || (risk === "write" && user.twoFactor);
  });
