import { digest } from "@/kernel/crypto/token";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/**
 * Marks a sealed text as used. The call must run outside of a transaction, so that the text stays used when a
 * later step fails.
 * @returns true for exactly one of several simultaneous callers.
 */
export async function claimSealedToken(deps: Deps, sealed: string, expiresAt: Date): Promise<boolean> {
  // The same bytes have several forms in base64url, so the decoded bytes are compared.
  const bytes = Buffer.from(sealed, "base64url").toString("base64url");
  try {
    await store.insertUsedToken(deps.db, digest(bytes), expiresAt);
    return true;
  } catch (cause) {
    if (isUniqueViolation(cause)) return false;
    throw cause;
  }
}
