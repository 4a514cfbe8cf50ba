import { open, seal } from "@/kernel/crypto/seal";
import { digest } from "@/kernel/crypto/token";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/** The sealed text and its expiry. */
export type OpenedToken = Readonly<{ text: string; expiresAt: Date }>;

/**
 * Seals a text that a browser carries and sends back. The server does not store the text.
 * @param purpose the purpose and the user for which the text is valid; the text is never valid as a session.
 * @returns base64url text.
 */
export const sealToken = (deps: Deps, purpose: string, text: string, seconds: number): string =>
  seal(
    deps.randomBytes,
    deps.keys.sealing,
    `proof ${purpose}`,
    `${deps.clock().getTime() + seconds * 1000} ${text}`,
  );

/**
 * Opens a sealed text. @returns null if the text has another purpose, was sealed by another instance, or has
 * expired.
 */
export function openSealedToken(deps: Deps, purpose: string, sealed: string): OpenedToken | null {
  const opened = open(deps.keys.sealing, `proof ${purpose}`, sealed);
  if (opened === null) return null;
  const space = opened.indexOf(" ");
  const expiresAt = new Date(Number(opened.slice(0, space)));
  return deps.clock() < expiresAt ? { text: opened.slice(space + 1), expiresAt } : null;
}

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
