/**
 * What an instance that requires a second factor has to do with a person who has none: `tell` them once, remind them
 * at sign-in while the time of `grace` runs, or let nothing else happen before it, once it is `due`.
 */
export type Enrolment =
  | Readonly<{ kind: "none" }>
  | Readonly<{ kind: "tell" | "grace" | "due"; until: Date }>;

/**
 * @param settings.require_two_factor_authentication whether the instance requires it.
 * @param settings.two_factor_grace_period hours, counted from when the person was first told.
 */
export function enrolmentOf(
  settings: Readonly<{ require_two_factor_authentication: boolean; two_factor_grace_period: number }>,
  person: Readonly<{ twoFactor: boolean; askedAt: Date | null }>,
  now: Date,
): Enrolment {
  if (!settings.require_two_factor_authentication || person.twoFactor) return { kind: "none" };
  const from = (person.askedAt ?? now).getTime();
  const until = new Date(from + settings.two_factor_grace_period * 3_600_000);
  if (now >= until) return { kind: "due", until };
  return { kind: person.askedAt === null ? "tell" : "grace", until };
}

/** Where a second factor is set up. */
export const HOME = "/user_settings/two_factor";

/** An address with the way on from it, if there is one. */
export const withReturn = (path: string, returnTo: string | null): string =>
  returnTo === null ? path : `${path}?return_to=${encodeURIComponent(returnTo)}`;

/** Where a second factor is set up, on the way to `returnTo`, a path of this site. */
export const enrolmentPath = (returnTo: string): string => withReturn(HOME, returnTo);

/** Binds the form for a file of recovery codes to these very codes: nothing else can be had as one. */
export const codesPurpose = (codes: string): string => `recovery_codes ${codes}`;

/** What a passkey is called when its person gives it no name. */
export const PASSKEY_NAME = "Passkey";
export const PASSKEY_NAME_MAX = 64;

/** A moment as a page names it. */
export const momentInWords = (moment: Date): string => {
  const [day, time] = moment.toISOString().split("T");
  return `${day}, ${time?.slice(0, 5)} UTC`;
};
