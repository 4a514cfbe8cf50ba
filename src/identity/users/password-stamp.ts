import { csrfToken } from "@/kernel/crypto/keys";
import type { Deps } from "@/kernel/deps/deps";

/** Returns a value that identifies the current password without revealing its digest. */
export const passwordStamp = (deps: Pick<Deps, "keys">, passwordDigest: string): string =>
  csrfToken(deps.keys, `password ${passwordDigest}`);
