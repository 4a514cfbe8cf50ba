const PREFIX = "!";

/**
 * Returns the value that is stored instead of a password digest for a user without a password. No password
 * has this value as its digest. The stored value is random, so that a new value invalidates links and
 * sign-ins that depend on the password.
 */
export const noPassword = (randomBytes: (size: number) => Uint8Array): string =>
  PREFIX + Buffer.from(randomBytes(32)).toString("base64url");

/** Returns whether a stored digest belongs to a password. */
export const isPassword = (passwordDigest: string): boolean => !passwordDigest.startsWith(PREFIX);
