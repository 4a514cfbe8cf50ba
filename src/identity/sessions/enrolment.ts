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
  user: Readonly<{ twoFactor: boolean; askedAt: Date | null }>,
  now: Date,
): Enrolment {
  if (!settings.require_two_factor_authentication || user.twoFactor) return { kind: "none" };
  const from = (user.askedAt ?? now).getTime();
  const until = new Date(from + settings.two_factor_grace_period * 3_600_000);
  if (now >= until) return { kind: "due", until };
  return { kind: user.askedAt === null ? "tell" : "grace", until };
}

/** Where a second factor is set up. */
export const HOME = "/user_settings/two_factor";

/** An address with the way on from it, if there is one. */
export const withReturn = (path: string, returnTo: string | null): string =>
  returnTo === null ? path : `${path}?return_to=${encodeURIComponent(returnTo)}`;

/** Where a second factor is set up, on the way to `returnTo`, a path of this site. */
export const enrolmentPath = (returnTo: string): string => withReturn(HOME, returnTo);
