import { digest } from "@/kernel/crypto/token";

/**
 * Returns a value that changes with every change of the password. The value is derived from the stored
 * password digest, which contains a random salt, and does not reveal the digest. A rotation of the instance
 * secret does not change the returned value.
 */
export const passwordStamp = (passwordDigest: string): string => digest(`password ${passwordDigest}`);
