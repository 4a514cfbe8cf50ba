/** Binds the form for a file of recovery codes to these very codes: nothing else can be had as one. */
export const codesPurpose = (codes: string): string => `recovery_codes ${codes}`;

/** The default name of a passkey. */
export const PASSKEY_NAME = "Passkey";
export const PASSKEY_NAME_MAX = 64;

/** A moment as a page names it. */
export const formatMoment = (moment: Date): string => {
  const [day, time] = moment.toISOString().split("T");
  return `${day}, ${time?.slice(0, 5)} UTC`;
};
