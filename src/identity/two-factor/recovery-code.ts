/** The number of recovery codes that are created for a user. */
export const RECOVERY_CODES = 10;

/** The 32 digits of Crockford's base32, which omits similar letters. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const GROUPS = 4;
const GROUP_LENGTH = 4;

/**
 * Returns a new recovery code of 80 random bits, `xxxx-xxxx-xxxx-xxxx`. A recovery code is so long that an
 * attacker who knows its digest cannot find the code by trying all codes.
 */
export function newRecoveryCode(randomBytes: (size: number) => Uint8Array): string {
  const digits = [...randomBytes(GROUPS * GROUP_LENGTH)].map((byte) => DIGITS[byte & 31]).join("");
  return shown(digits);
}

/**
 * Normalizes an entered recovery code to the format that `newRecoveryCode` returns; returns null if the text
 * is not a recovery code.
 */
export function readRecoveryCode(typed: string): string | null {
  const digits = typed
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");
  const isCode =
    digits.length === GROUPS * GROUP_LENGTH && [...digits].every((digit) => DIGITS.includes(digit));
  return isCode ? shown(digits) : null;
}

const shown = (digits: string): string => digits.match(/.{4}/g)?.join("-") ?? "";

/** Returns the text of the file with the recovery codes. */
export const recoveryCodeFile = (issuer: string, username: string, codes: readonly string[]): string =>
  [
    `Recovery codes for ${username} at ${issuer}`,
    "",
    "Each code replaces your second factor once. Store the codes in a safe place.",
    "",
    ...codes,
    "",
  ].join("\r\n");
