import { createHash, timingSafeEqual } from "node:crypto";

/**
 * The result of the comparison: `missing` is a challenge without a verifier, `unasked` a verifier without a
 * challenge.
 */
export type ChallengeVerification = "none" | "right" | "wrong" | "missing" | "unasked";

/** Compares a verifier with the challenge of the code (RFC 7636 §4.6), in constant time. */
export function verifyCodeChallenge(
  challenge: string | null,
  verifier: string | undefined,
): ChallengeVerification {
  if (challenge === null) return verifier === undefined ? "none" : "unasked";
  if (verifier === undefined) return "missing";
  const given = Buffer.from(createHash("sha256").update(verifier).digest("base64url"));
  const expected = Buffer.from(challenge);
  return given.length === expected.length && timingSafeEqual(given, expected) ? "right" : "wrong";
}
