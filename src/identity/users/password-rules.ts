const PASSWORD_CHARACTERS_MIN = 8;

/** Returns the minimum length of a new password. */
export const passwordCharactersMin = (
  settings: Readonly<{ password_minimum_length_without_two_factor: number }>,
  twoFactor: boolean,
): number => (twoFactor ? PASSWORD_CHARACTERS_MIN : settings.password_minimum_length_without_two_factor);

/** The limits for a new password. */
type PasswordLimits = Readonly<{
  least: number;
  most: number;
  username: string;
  email: string;
  /** The names of this instance, which a password must not contain. */
  instanceNames: readonly string[];
}>;

/**
 * Returns the problem of a new password; null for an accepted password. The password must have the minimum
 * length and must not contain a name that attackers try first, such as the username.
 */
export function passwordProblem(password: string, limits: PasswordLimits): string | null {
  if (password.length < limits.least) return `must have at least ${limits.least} characters`;
  if (password.length > limits.most) return `must have at most ${limits.most} characters`;
  const folded = foldedPassword(password);
  const holds = (name: string): boolean => containsName(folded, foldedPassword(name));
  if (holds(limits.username)) return "must not contain the username";
  if (holds(limits.email) || holds(limits.email.split("@", 1)[0] ?? ""))
    return "must not contain the e-mail address";
  return limits.instanceNames.some(holds) ? "must not contain the name of this server" : null;
}

const foldedPassword = (text: string): string => text.normalize("NFKC").toLowerCase();

/**
 * The minimum length of a name that a password must not contain within other words. Shorter names are allowed
 * within other words, because they occur in ordinary words.
 */
const NAME_CHARACTERS_MIN = 4;

/**
 * Returns whether a password contains a name. A short name counts only if the rest of the password contains
 * no letters.
 */
function containsName(password: string, name: string): boolean {
  if (name === "" || !password.includes(name)) return false;
  return name.length >= NAME_CHARACTERS_MIN || !/\p{L}/u.test(password.replaceAll(name, ""));
}

/**
 * Returns the variants to look up in the list of common passwords: the password, and the password without
 * trailing digits and symbols.
 */
export function commonPasswordVariants(password: string): readonly string[] {
  const folded = foldedPassword(password);
  return [...new Set([folded, folded.replace(/[^\p{L}]{1,5}$/u, "")])];
}

/**
 * The method by which a password is sent. `sign_in` means the sign-in page, and `grant` means the password
 * grant (RFC 6749 §4.3) and Git.
 */
export type PasswordWay = "sign_in" | "grant";

/**
 * Returns whether a password can be used with this sign-in method. With the method `grant`, passwords of
 * users with a second factor are refused. An instance can also disable all passwords for the method `grant`.
 * @param twoFactor whether the user has a second factor, or must set one up first.
 */
export const acceptsPasswords = (
  way: PasswordWay,
  settings: Readonly<{ password_authentication_enabled_for_git: boolean }>,
  twoFactor: boolean,
): boolean => way === "sign_in" || (settings.password_authentication_enabled_for_git && !twoFactor);
