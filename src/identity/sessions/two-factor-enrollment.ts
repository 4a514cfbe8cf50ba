/**
 * The two-factor state of a user without a second factor, on an instance that requires a second factor.
 * `tell` means that the user has not yet seen the first notice. `grace` means that the grace period has
 * started, and that each sign-in shows a reminder. `due` means that the grace period has ended, so the user
 * must set up a second factor before any other action.
 */
export type Enrollment =
  | Readonly<{ kind: "none" }>
  | Readonly<{ kind: "tell" | "grace" | "due"; until: Date }>;

/**
 * @param settings.require_two_factor_authentication whether the instance requires a second factor.
 * @param settings.two_factor_grace_period the length of the grace period in hours, from the first notice.
 */
export function enrollmentOf(
  settings: Readonly<{ require_two_factor_authentication: boolean; two_factor_grace_period: number }>,
  user: Readonly<{ twoFactor: boolean; askedAt: Date | null }>,
  now: Date,
): Enrollment {
  if (!settings.require_two_factor_authentication || user.twoFactor) return { kind: "none" };
  const from = (user.askedAt ?? now).getTime();
  const until = new Date(from + settings.two_factor_grace_period * 3_600_000);
  if (now >= until) return { kind: "due", until };
  return { kind: user.askedAt === null ? "tell" : "grace", until };
}

/** The path of the two-factor page. */
export const HOME = "/user_settings/two_factor";

/** Returns a path to which the parameter `return_to` is added if there is a return path. */
export const withReturn = (path: string, returnTo: string | null): string =>
  returnTo === null ? path : `${path}?return_to=${encodeURIComponent(returnTo)}`;

/** Returns the path of the two-factor page, from which the user continues to `returnTo`. */
export const enrollmentPath = (returnTo: string): string => withReturn(HOME, returnTo);
