import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * Keys that are derived from the instance secret, one for each use, so that a key for one use is not valid
 * for another use.
 */
export type KeySet = Readonly<{
  /** Signs and encrypts the session cookie. */
  session: string;
  /** Authenticates CSRF tokens. */
  form: Buffer;
  /** Encrypts values that a reader of the database must not see. */
  sealing: Buffer;
  /** Derives an authorization code from a submitted consent form. */
  code: Buffer;
  /** Computes the digests of user codes. */
  userCode: Buffer;
  /** Computes the digests of the identities of the users who are affected by a tracked error. */
  reportedUser: Buffer;
  /** Authenticates the audit events and their order. */
  audit: Buffer;
  /** A value that the database stores in order to recognize the instance secret. */
  check: string;
}>;

/**
 * The keys of the current instance secret, and the keys of other secrets that are also accepted. A rotation
 * of the secret changes the fields of this object (`replaceKeys`), so functions must read a field each time
 * and must not store its value.
 */
export type SecretKeys = KeySet &
  Readonly<{
    /** The keys of the other secret while a rotation of the secret is in progress; empty otherwise. */
    previous: readonly KeySet[];
    /** The keys of session cookies that were encrypted before an earlier rotation. */
    previousSessions: readonly string[];
    /**
     * The keys of audit events that were recorded before a rotation. Each key is valid for the audit events
     * up to the id `upTo`; if `upTo` is null, there is no limit.
     */
    previousAudits: readonly Readonly<{ key: Buffer; upTo: number | null }>[];
  }>;

const derive = (secret: string, use: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "gatehouse", use, 32));

/** @param secret the instance secret, at least 32 characters. */
export const deriveKeySet = (secret: string): KeySet => ({
  session: derive(secret, "session").toString("base64url"),
  form: derive(secret, "form"),
  sealing: derive(secret, "sealing"),
  code: derive(secret, "code"),
  userCode: derive(secret, "user_code"),
  reportedUser: derive(secret, "reported_person"),
  audit: derive(secret, "audit"),
  check: derive(secret, "check").toString("hex"),
});

/** @param secret the only accepted instance secret, at least 32 characters. */
export const deriveKeys = (secret: string): SecretKeys => ({
  ...deriveKeySet(secret),
  previous: [],
  previousSessions: [],
  previousAudits: [],
});

/** Replaces the keys in an object that all functions of this process share. */
export function replaceKeys(shared: SecretKeys, keys: SecretKeys): void {
  Object.assign(shared, keys);
}

/** Returns a CSRF token for `subject`. Only this instance can create the CSRF token. */
export const csrfToken = (keys: KeySet, subject: string): string =>
  createHmac("sha256", keys.form).update(subject).digest("base64url");

/**
 * Returns whether `given` is the CSRF token of `subject`. The comparison of the CSRF tokens takes constant
 * time.
 */
export function csrfTokenMatches(keys: SecretKeys, subject: string, given: string): boolean {
  const received = Buffer.from(given);
  return [keys, ...keys.previous].some((set) => {
    const expected = Buffer.from(csrfToken(set, subject));
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
}

/** Returns 32 bytes that are derived from `subject`. Only this instance can compute the bytes. */
export const codeBytes = (keys: SecretKeys, subject: string): Uint8Array =>
  createHmac("sha256", keys.code).update(subject).digest();

/**
 * Returns the digest under which the database stores a user code. The digest is keyed. Otherwise, a reader of
 * the database could compare the digest with the digests of all codes of eight letters.
 */
export const userCodeDigest = (keys: KeySet, userCode: string): string =>
  createHmac("sha256", keys.userCode).update(userCode).digest("hex");

/** Returns all digests under which the database may store a user code while the instance secret is rotated. */
export const userCodeDigests = (keys: SecretKeys, userCode: string): readonly string[] =>
  [keys, ...keys.previous].map((set) => userCodeDigest(set, userCode));
