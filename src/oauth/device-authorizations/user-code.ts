/**
 * The consonants of user codes. The letters are easy to distinguish, and user codes form no words (RFC 8628
 * §6.1).
 */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

/**
 * The exclusive upper limit of the random bytes that select a letter: the largest multiple of 20 (the number
 * of letters) below 256. Larger bytes are skipped, because they would favor the first letters.
 */
const BYTES_USED = 240;

/**
 * Returns a new user code without its dash. Eight letters from an alphabet of 20 have 34 bits of entropy,
 * which is sufficient because wrong user codes are rate-limited.
 */
export function newUserCode(randomBytes: (size: number) => Uint8Array): string {
  let code = "";
  while (code.length < LENGTH)
    for (const byte of randomBytes(LENGTH))
      if (byte < BYTES_USED && code.length < LENGTH) code += ALPHABET[byte % ALPHABET.length];
  return code;
}

/** Returns a user code as pages display it: `BCDF-GHJK`. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/**
 * Parses a user code in upper or lower case, with spaces, and with or without a dash of any kind.
 * @returns the user code without its dash; null when the text is not a user code.
 */
export function readUserCode(typed: string): string | null {
  const letters = typed.replace(/[\s\p{Dash_Punctuation}\u2212\u00ad\u200b]/gu, "").toUpperCase();
  return letters.length === LENGTH && [...letters].every((letter) => ALPHABET.includes(letter))
    ? letters
    : null;
}
