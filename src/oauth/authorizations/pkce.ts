import { createHash, timingSafeEqual } from "node:crypto";
import type { IssuedCode } from "./authorization-code";

/** Compares a verifier with the challenge that the code was issued for (RFC 7636 §4.6), in constant time. */
export function proofOf(challenge: string | null, verifier: string | undefined): IssuedCode["proof"] {
  if (challenge === null) return verifier === undefined ? "none" : "unasked";
  if (verifier === undefined) return "missing";
  const given = Buffer.from(createHash("sha256").update(verifier).digest("base64url"));
  const expected = Buffer.from(challenge);
  return given.length === expected.length && timingSafeEqual(given, expected) ? "right" : "wrong";
}
