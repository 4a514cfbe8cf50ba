import { createHash, timingSafeEqual } from "node:crypto";

/** Whether a verifier fits a challenge: `missing` and `unasked` name the one of them that stands alone. */
export type ChallengeVerification = "none" | "right" | "wrong" | "missing" | "unasked";

/** Compares a verifier with the challenge that the code was issued for (RFC 7636 §4.6), in constant time. */
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
