import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * Keys that are derived from the instance secret, one for each use, so that a key for one use is not valid
 * for another use.
 */
export type SecretKeys = Readonly<{
  /** Signs and encrypts the session cookie. */
  session: string;
  /** Authenticates CSRF tokens. */
  form: Buffer;
  /** Encrypts values that a reader of the database must not see. */
  sealing: Buffer;
  /** Derives an authorization code from a submitted consent form. */
  code: Buffer;
  /** Digests user codes. */
  userCode: Buffer;
  /** Digests the identities of the users who are affected by a tracked error. */
  reportedUser: Buffer;
  /** Authenticates the audit events and their order. */
  audit: Buffer;
  /** The value by which the database identifies the secret. */
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
  audit: derive(secret, "audit"),
  check: derive(secret, "check").toString("hex"),
});

/** Returns a CSRF token for `subject`. Only this instance can create the token. */
export const csrfToken = (keys: SecretKeys, subject: string): string =>
  createHmac("sha256", keys.form).update(subject).digest("base64url");

/** Returns whether `given` is the CSRF token of `subject`. The comparison takes constant time. */
export function csrfTokenMatches(keys: SecretKeys, subject: string, given: string): boolean {
  const expected = Buffer.from(csrfToken(keys, subject));
  const received = Buffer.from(given);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/** Returns 32 bytes that are derived from `subject`. Only this instance can compute the bytes. */
export const codeBytes = (keys: SecretKeys, subject: string): Uint8Array =>
  createHmac("sha256", keys.code).update(subject).digest();

/**
 * Returns the digest under which the database stores a user code. The digest is keyed, because a reader of
 * the database could try all codes of eight letters.
 */
export const userCodeDigest = (keys: SecretKeys, userCode: string): string =>
  createHmac("sha256", keys.userCode).update(userCode).digest("hex");
