/**
 * The values of `alg` for the supported signature algorithms (RFC 7518 §3.1, RFC 8037 §3.1), with the label
 * of each algorithm. `RS256` is the default, because every OpenID Connect client supports `RS256` (OpenID
 * Connect Core §15.1).
 */
export const ALGORITHM_LABELS = {
  RS256: "RS256 (RSA, 2,048 bits)",
  ES256: "ES256 (ECDSA with P-256)",
  EdDSA: "EdDSA (Ed25519)",
} as const;

export type SigningAlgorithm = keyof typeof ALGORITHM_LABELS;
export const SIGNING_ALGORITHMS = ["RS256", "ES256", "EdDSA"] as const satisfies readonly SigningAlgorithm[];

export const isSigningAlgorithm = (value: string): value is SigningAlgorithm =>
  SIGNING_ALGORITHMS.some((algorithm) => algorithm === value);

const DAY_MS = 86_400_000;

/** The time for which a client may cache the published keys, in milliseconds. */
const CLIENT_CACHE_MS = DAY_MS;

/**
 * Returns a time: signing keys that were retired before this time are no longer published, because all tokens
 * that they signed have expired.
 */
export const publishedSince = (now: Date, idTokenSeconds: number): Date =>
  new Date(now.getTime() - CLIENT_CACHE_MS - idTokenSeconds * 1000);

/**
 * The creation time and the start time of a signing key. `signsFrom` is null for a key that has signed since
 * its creation.
 */
export type KeyLifetime = Readonly<{ createdAt: Date; signsFrom: Date | null }>;

/** Returns the time from which a signing key signs tokens. */
const signingSince = ({ createdAt, signsFrom }: KeyLifetime): Date => signsFrom ?? createdAt;

/**
 * Returns whether a key can sign at the given time. Before its start time, a signing key is published, but
 * does not sign.
 */
export const isSigning = (key: KeyLifetime, now: Date): boolean => signingSince(key) <= now;

/** Returns the time from which a key signs that is published now. */
export const signsFromOfNewKey = (now: Date): Date => new Date(now.getTime() + CLIENT_CACHE_MS);

/**
 * Returns the time from which the successor of a signing key signs; null if no successor has to be published
 * now. The successor is published one day before it signs, so that the cached JWK Sets of clients contain
 * the successor when it begins to sign (OpenID Connect Core §10.1.1).
 * @param everyDays the age at which a key is replaced, in days; 0 means never.
 */
export function successorSignsFrom(current: KeyLifetime, everyDays: number, now: Date): Date | null {
  if (everyDays === 0) return null;
  const due = signingSince(current).getTime() + everyDays * DAY_MS;
  const signsFrom = signsFromOfNewKey(now);
  return signsFrom.getTime() < due ? null : signsFrom;
}
