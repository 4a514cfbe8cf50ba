/** A username is one path segment: letters, digits, `.`, `-` and `_`, and begins with a letter or digit. */
export function usernameProblem(username: string): string | null {
  if (username.length < 2 || username.length > 64) return "must have 2 to 64 characters";
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(username))
    return "may hold letters, digits, dots, dashes and underscores, and begins with a letter or digit";
  if (/\.(git|atom)$/i.test(username)) return "must not end in .git or .atom";
  return null;
}

const NAME_CHARACTERS_MAX = 255;

/** Characters that hide, or turn the text around them. */
export const HIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** A name is for people: any script, but nothing that hides, or turns the text around it. */
export function nameProblem(name: string): string | null {
  if (name === "") return "must not be empty";
  if (name.length > NAME_CHARACTERS_MAX) return `must have at most ${NAME_CHARACTERS_MAX} characters`;
  return HIDDEN.test(name) ? "must not hold control characters" : null;
}

/** Whether the text has the shape of one address; only a message sent there proves more. */
export const emailProblem = (email: string): string | null =>
  email.length <= 254 && !HIDDEN.test(email) && /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)*$/.test(email)
    ? null
    : "must be an address such as ann@example.com";

export const PASSWORD_CHARACTERS_MIN = 8;

export function passwordProblem(password: string, charactersMax: number): string | null {
  if (password.length < PASSWORD_CHARACTERS_MIN)
    return `must have at least ${PASSWORD_CHARACTERS_MIN} characters`;
  if (password.length > charactersMax) return `must have at most ${charactersMax} characters`;
  return null;
}

/** Where a password is given: our own page, or a client's request (RFC 6749 §4.3). */
export type PasswordWay = "sign_in" | "grant";

/**
 * A client that has the password must not get past a second factor, nor past the switch for passwords.
 * @param twoFactor whether the person has one, or would have to set one up before anything else.
 */
export const takesPasswords = (
  way: PasswordWay,
  settings: Readonly<{ password_authentication_enabled_for_git: boolean }>,
  twoFactor: boolean,
): boolean => way === "sign_in" || (settings.password_authentication_enabled_for_git && !twoFactor);
