import { createHash, timingSafeEqual } from "node:crypto";

/**
 * The result of comparing a verifier with a challenge. `missing` means a challenge without a verifier, and
 * `unasked` means a verifier without a challenge.
 */
export type ChallengeVerification = "none" | "right" | "wrong" | "missing" | "unasked";

/** Compares a verifier with the challenge of the code (RFC 7636 §4.6), in constant time. */
export function verifyCodeChallenge(
  challenge: string | null,
  verifier: string | undefined,
): ChallengeVerification {
  if (challenge === null) return verifier === undefined ? "none" : "unasked";
  if (verifier === undefined) return "missing";
  const computed = Buffer.from(createHash("sha256").update(verifier).digest("base64url"));
  const expected = Buffer.from(challenge);
  return computed.length === expected.length && timingSafeEqual(computed, expected) ? "right" : "wrong";
}
