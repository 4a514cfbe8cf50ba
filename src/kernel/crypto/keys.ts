import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** Keys derived from the instance secret, one per use, so that none can stand in for another. */
export type SecretKeys = Readonly<{
  /** Signs and seals the session cookie. */
  session: string;
  /** Authenticates form tokens. */
  form: Buffer;
  /** Seals what the database keeps but must not be able to read. */
  sealing: Buffer;
  /** Makes the codes that consent forms give. */
  code: Buffer;
  /** Digests user codes. */
  userCode: Buffer;
  /** Digests whom a reported error has met. */
  reportedUser: Buffer;
  /** What the database keeps to recognise the secret. */
  check: string;
}>;

const derive = (secret: string, use: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "gatehouse", use, 32));

/** @param secret the instance secret, at least 32 characters. */
export const deriveKeys = (secret: string): SecretKeys => ({
  session: derive(secret, "session").toString("base64url"),
  form: derive(secret, "form"),
  sealing: derive(secret, "sealing"),
  code: derive(secret, "code"),
  userCode: derive(secret, "user_code"),
  reportedUser: derive(secret, "reported_person"),
  check: derive(secret, "check").toString("hex"),
});

/** A token that only this instance can make, for this `subject`. */
export const csrfToken = (keys: SecretKeys, subject: string): string =>
  createHmac("sha256", keys.form).update(subject).digest("base64url");

/** True when `given` is the form token of `subject`, in constant time. */
export function csrfTokenMatches(keys: SecretKeys, subject: string, given: string): boolean {
  const expected = Buffer.from(csrfToken(keys, subject));
  const sent = Buffer.from(given);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** 32 bytes that only this instance can make, for this `subject`: as good as random ones to everybody else. */
export const codeBytes = (keys: SecretKeys, subject: string): Uint8Array =>
  createHmac("sha256", keys.code).update(subject).digest();

/** A user code as the database keeps it. Keyed, for whoever read the database could try all codes of eight letters. */
export const userCodeDigest = (keys: SecretKeys, userCode: string): string =>
  createHmac("sha256", keys.userCode).update(userCode).digest("hex");
