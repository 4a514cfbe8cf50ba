import { digest } from "@/kernel/crypto/token";

/**
 * Returns a value that identifies the current password without revealing its digest, which contains a random
 * salt. The value does not depend on the instance secret, so a rotation of the instance secret does not
 * change the value.
 */
export const passwordStamp = (passwordDigest: string): string => digest(`password ${passwordDigest}`);
