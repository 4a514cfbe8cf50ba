/** Consonants, so that no word appears, and none that is taken for another (RFC 8628 §6.1). */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

/** The largest multiple of twenty that a byte can reach: bytes above it would favour the first letters. */
const BYTES_USED = 240;

/** A new code, without its dash: 8 of 20 letters are 34 bits, which the limits on wrong codes make enough. */
export function newUserCode(randomBytes: (size: number) => Uint8Array): string {
  let code = "";
  while (code.length < LENGTH)
    for (const byte of randomBytes(LENGTH))
      if (byte < BYTES_USED && code.length < LENGTH) code += ALPHABET[byte % ALPHABET.length];
  return code;
}

/** As people see it: `BCDF-GHJK`. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/**
 * What a person typed, as the code that was meant: in any case, with spaces, with or without a dash of any kind.
 * @returns null when it cannot be a code.
 */
export function readUserCode(typed: string): string | null {
  const letters = typed.replace(/[\s\p{Dash_Punctuation}\u2212\u00ad\u200b]/gu, "").toUpperCase();
  return letters.length === LENGTH && [...letters].every((letter) => ALPHABET.includes(letter))
    ? letters
    : null;
}
