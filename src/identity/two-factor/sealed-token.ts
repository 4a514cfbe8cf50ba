import { digest } from "@/kernel/crypto/token";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/**
 * Marks an encrypted text as used. Callers must not be in a transaction, so that the text stays marked as
 * used when a later step fails.
 * @returns true for exactly one of several simultaneous callers.
 */
export async function claimSealedToken(deps: Deps, sealed: string, expiresAt: Date): Promise<boolean> {
  // Several base64url texts can represent the same bytes, so the digest of the decoded bytes identifies the
  // text.
  const bytes = Buffer.from(sealed, "base64url").toString("base64url");
  try {
    await store.insertUsedToken(deps.db, digest(bytes), expiresAt);
    return true;
  } catch (cause) {
    if (isUniqueViolation(cause)) return false;
    throw cause;
  }
}
