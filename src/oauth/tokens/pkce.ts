import { createHash, timingSafeEqual } from "node:crypto";

/**
 * The result of comparing a code verifier with a code challenge. `missing` means that the authorization code
 * has a code challenge, but the token request has no code verifier. `unexpected` means that the token request
 * has a code verifier, but the authorization code has no code challenge.
 */
export type ChallengeVerification = "none" | "right" | "wrong" | "missing" | "unexpected";

/** Returns the code challenge of a code verifier by the method S256 (RFC 7636 §4.2). */
export const challengeOf = (verifier: string): string =>
  createHash("sha256").update(verifier).digest("base64url");

/**
 * Compares a code verifier with the code challenge of an authorization code (RFC 7636 §4.6), in constant
 * time.
 */
export function verifyCodeChallenge(
  challenge: string | null,
  verifier: string | undefined,
): ChallengeVerification {
  if (challenge === null) return verifier === undefined ? "none" : "unexpected";
  if (verifier === undefined) return "missing";
  const computed = Buffer.from(challengeOf(verifier));
  const expected = Buffer.from(challenge);
  return computed.length === expected.length && timingSafeEqual(computed, expected) ? "right" : "wrong";
}
