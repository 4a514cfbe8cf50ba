import { imitatesReservedName, isReservedUsername } from "@/instance/names/reserved-names";
import { hasHiddenCharacters } from "@/kernel/text/hidden-characters";

/** A username is one path segment: letters, digits, `.`, `-` and `_`, and begins with a letter or digit. */
export function usernameProblem(username: string): string | null {
  if (username.length < 2 || username.length > 64) return "must have 2 to 64 characters";
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(username))
    return "can contain only letters, digits, dots, dashes and underscores, and must begin with a letter or digit";
  if (/\.(git|atom)$/i.test(username)) return "must not end in .git or .atom";
  return null;
}

/** The same for a username that somebody gets now; those from before reserved names go on. */
export const newUsernameProblem = (username: string, instanceNames: readonly string[]): string | null =>
  usernameProblem(username) ?? (isReservedUsername(username, instanceNames) ? "is a reserved name" : null);

const NAME_CHARACTERS_MAX = 255;

/** A name is for people: any script, but nothing that hides, or turns the text around it. */
export function nameProblem(name: string): string | null {
  if (name === "") return "must not be empty";
  if (name.length > NAME_CHARACTERS_MAX) return `must have at most ${NAME_CHARACTERS_MAX} characters`;
  return shownNameProblem(name);
}

/** Why people could take this name for another one; null when they cannot. */
export function shownNameProblem(name: string): string | null {
  if (hasHiddenCharacters(name)) return "must not contain invisible or control characters";
  return imitatesReservedName(name) ? "must not imitate a reserved name" : null;
}

/** Whether the text has the shape of one address; only a message sent there proves more. */
export const emailProblem = (email: string): string | null =>
  email.length <= 254 && !hasHiddenCharacters(email) && /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)*$/.test(email)
    ? null
    : "must be an address such as ann@example.com";

const PASSWORD_CHARACTERS_MIN = 8;

/** How many characters a new password must have. */
export const passwordCharactersMin = (
  settings: Readonly<{ password_minimum_length_without_two_factor: number }>,
  twoFactor: boolean,
): number => (twoFactor ? PASSWORD_CHARACTERS_MIN : settings.password_minimum_length_without_two_factor);

/** Everything that a new password is compared with. */
type PasswordLimits = Readonly<{
  least: number;
  most: number;
  username: string;
  email: string;
  /** The names that people call this instance. */
  instanceNames: readonly string[];
}>;

/** Length, and names that everybody who guesses tries first. */
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

/** Shorter names occur in ordinary words. */
const NAME_CHARACTERS_MIN = 4;

/** Whether a password contains a name; a short one counts only where no letter stands beside it. */
function containsName(password: string, name: string): boolean {
  if (name === "" || !password.includes(name)) return false;
  return name.length >= NAME_CHARACTERS_MIN || !/\p{L}/u.test(password.replaceAll(name, ""));
}

/** The spellings under which a password may be in a list of common ones: as it is, and without what people append. */
export function commonPasswordVariants(password: string): readonly string[] {
  const folded = foldedPassword(password);
  return [...new Set([folded, folded.replace(/[^\p{L}]{1,5}$/u, "")])];
}

/** Where a password is given: our own page, or a client's request (RFC 6749 §4.3). */
export type PasswordWay = "sign_in" | "grant";

/**
 * A client that has the password must not get past a second factor, nor past the switch for passwords.
 * @param twoFactor whether the person has one, or would have to set one up before anything else.
 */
export const acceptsPasswords = (
  way: PasswordWay,
  settings: Readonly<{ password_authentication_enabled_for_git: boolean }>,
  twoFactor: boolean,
): boolean => way === "sign_in" || (settings.password_authentication_enabled_for_git && !twoFactor);
