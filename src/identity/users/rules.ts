import { imitatesReservedName, isReservedUsername } from "@/instance/names/reserved-names";
import { hasHiddenCharacters } from "@/kernel/text/hidden-characters";

/**
 * Returns the problem of a username; null for a valid username. A username consists of letters, digits, `.`,
 * `-` and `_`, and begins with a letter or digit.
 */
export function usernameProblem(username: string): string | null {
  if (username.length < 2 || username.length > 64) return "must have 2 to 64 characters";
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(username))
    return "can contain only letters, digits, dots, dashes and underscores, and must begin with a letter or digit";
  if (/\.(git|atom)$/i.test(username)) return "must not end in .git or .atom";
  return null;
}

/**
 * Returns the problem of a new username; null for a valid username. A new username must pass
 * `usernameProblem` and must not be reserved.
 */
export const newUsernameProblem = (username: string, instanceNames: readonly string[]): string | null =>
  usernameProblem(username) ?? (isReservedUsername(username, instanceNames) ? "is a reserved name" : null);

const NAME_CHARACTERS_MAX = 255;

/**
 * Returns the problem of a display name; null for a valid name. A display name can use any script, but no
 * invisible characters and no characters that change the text direction.
 */
export function nameProblem(name: string): string | null {
  if (name === "") return "must not be empty";
  if (name.length > NAME_CHARACTERS_MAX) return `must have at most ${NAME_CHARACTERS_MAX} characters`;
  return shownNameProblem(name);
}

/** Returns the reason why a display name is misleading; null for any other name. */
export function shownNameProblem(name: string): string | null {
  if (hasHiddenCharacters(name)) return "must not contain invisible or control characters";
  return imitatesReservedName(name) ? "must not imitate a reserved name" : null;
}

/**
 * Returns the problem of an e-mail address; null for a valid e-mail address. The function checks only the
 * syntax.
 */
export const emailProblem = (email: string): string | null =>
  email.length <= 254 && !hasHiddenCharacters(email) && /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)*$/.test(email)
    ? null
    : "must have a form such as ann@example.com";
