import type { SecretKeys } from "./keys";
import { seal } from "./seal";
import { openValue } from "./sealed-value";

/** The keys, the time and the random values with which a text is encrypted. */
type Sealing = Readonly<{
  keys: SecretKeys;
  clock: () => Date;
  randomBytes: (size: number) => Uint8Array;
}>;

/** The decrypted text and its expiry. */
export type OpenedToken = Readonly<{ text: string; expiresAt: Date }>;

/**
 * Encrypts a text that a browser stores and sends back. The server itself does not store the encrypted text.
 * @param purpose the purpose and the user for which the text is valid. An encrypted text is never valid as a
 * session.
 * @returns base64url text.
 */
export const sealToken = (
  { keys, clock, randomBytes }: Sealing,
  purpose: string,
  text: string,
  seconds: number,
): string =>
  seal(randomBytes, keys.sealing, `proof ${purpose}`, `${clock().getTime() + seconds * 1000} ${text}`);

/**
 * Decrypts an encrypted text.
 * @returns null if the text was encrypted for another purpose or by another instance, or if the text has
 * expired.
 */
export function openSealedToken(
  { keys, clock }: Omit<Sealing, "randomBytes">,
  purpose: string,
  sealed: string,
): OpenedToken | null {
  const opened = openValue(keys, `proof ${purpose}`, sealed);
  if (opened === null) return null;
  const space = opened.indexOf(" ");
  const expiresAt = new Date(Number(opened.slice(0, space)));
  return clock() < expiresAt ? { text: opened.slice(space + 1), expiresAt } : null;
}
