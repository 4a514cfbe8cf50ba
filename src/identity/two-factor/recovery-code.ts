/** How many there are: enough for years, few enough for a sheet of paper. */
export const RECOVERY_CODES = 10;

/** Crockford's 32 digits: without those that are easily taken for another. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** A new code of 80 random bits, `xxxx-xxxx-xxxx-xxxx`: too many to try, even for who has the digests. */
export function newRecoveryCode(randomBytes: (size: number) => Uint8Array): string {
  const digits = [...randomBytes(GROUPS * GROUP_LENGTH)].map((byte) => DIGITS[byte & 31]).join("");
  return shown(digits);
}

/** A code as it was typed, in the form in which codes are made; null when it cannot be one. */
export function readRecoveryCode(typed: string): string | null {
  const digits = typed
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");
  const isCode = digits.length === GROUPS * GROUP_LENGTH && [...digits].every((one) => DIGITS.includes(one));
  return isCode ? shown(digits) : null;
}

const shown = (digits: string): string => digits.match(/.{4}/g)?.join("-") ?? "";

/** What the downloaded file says. */
export const recoveryCodeFile = (issuer: string, username: string, codes: readonly string[]): string =>
  [
    `Recovery codes for ${username} at ${issuer}`,
    "",
    "Each code works once, in place of your second factor. Store them in a safe place.",
    "",
    ...codes,
    "",
  ].join("\r\n");
