import { digest } from "@/kernel/crypto/token";

/**
 * Returns a value that identifies the current password without revealing its digest, which contains a random salt. The
 * value does not depend on the instance secret, so that it stays the same when the secret is rotated.
 */
export const passwordStamp = (passwordDigest: string): string => digest(`password ${passwordDigest}`);
