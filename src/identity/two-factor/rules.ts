/**
 * Returns the purpose of the CSRF token for a file with these recovery codes, so that the token is not valid
 * for other codes.
 */
export const codesPurpose = (codes: string): string => `recovery_codes ${codes}`;

/** The default name of a passkey. */
export const PASSKEY_NAME = "Passkey";
export const PASSKEY_NAME_MAX = 64;

/** Returns the text of a time without seconds, as the pages show it. */
export const formatMoment = (moment: Date): string => {
  const [day, time] = moment.toISOString().split("T");
  return `${day}, ${time?.slice(0, 5)} UTC`;
};
