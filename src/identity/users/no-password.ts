const PREFIX = "!";

/**
 * Returns the stored value for a user without a password. No password has this digest. The value is random, so that
 * links and sign-ins that depend on the password can be invalidated.
 */
export const noPassword = (randomBytes: (size: number) => Uint8Array): string =>
  PREFIX + Buffer.from(randomBytes(32)).toString("base64url");

/** Returns whether a stored digest belongs to a password. */
export const isPassword = (passwordDigest: string): boolean => !passwordDigest.startsWith(PREFIX);
