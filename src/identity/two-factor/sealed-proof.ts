import { open, seal } from "@/kernel/crypto/seal";
import { digest } from "@/kernel/crypto/token";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/** What was sealed, and until when it counts. */
export type OpenedProof = Readonly<{ text: string; expiresAt: Date }>;

/**
 * Seals something that this instance has established, to be carried by a browser and given back: nothing is stored.
 * @param purpose what it proves and for whom: it opens for that alone, and never as a session.
 * @returns base64url text.
 */
export const sealProof = (deps: Deps, purpose: string, text: string, seconds: number): string =>
  seal(
    deps.randomBytes,
    deps.keys.sealing,
    `proof ${purpose}`,
    `${deps.clock().getTime() + seconds * 1000} ${text}`,
  );

/** Null for what was not sealed here for this purpose, and for what has expired. */
export function openProof(deps: Deps, purpose: string, sealed: string): OpenedProof | null {
  const opened = open(deps.keys.sealing, `proof ${purpose}`, sealed);
  if (opened === null) return null;
  const space = opened.indexOf(" ");
  const expiresAt = new Date(Number(opened.slice(0, space)));
  return deps.clock() < expiresAt ? { text: opened.slice(space + 1), expiresAt } : null;
}

/**
 * Spends a proof. Call it outside of a transaction, so that the proof stays spent when a later step fails.
 * @returns true for exactly one of any number of callers.
 */
export async function spendProof(deps: Deps, sealed: string, expiresAt: Date): Promise<boolean> {
  // One proof can be written in several ways in base64url: what counts is what it decodes to.
  const bytes = Buffer.from(sealed, "base64url").toString("base64url");
  try {
    await store.insertSpent(deps.db, digest(bytes), expiresAt);
    return true;
  } catch (cause) {
    if (isUniqueViolation(cause)) return false;
    throw cause;
  }
}
