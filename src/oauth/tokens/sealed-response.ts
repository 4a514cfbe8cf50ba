import { hkdfSync } from "node:crypto";
import { open, seal } from "@/kernel/crypto/seal";
import type { Deps } from "@/kernel/deps/deps";

/**
 * The answer to a refresh, for a client that did not receive it. It is sealed under a key made of the spent token,
 * which the database does not have: nothing readable is stored.
 * @param purpose what was asked for: a repeat that asks for something else does not open it.
 */
export const sealResponse = (deps: Deps, spentToken: string, purpose: string, response: object): string =>
  seal(deps.randomBytes, keyFrom(spentToken), purpose, JSON.stringify(response));

/** The very members that were sealed, in their order, so that they become the same bytes; null if it does not open. */
export function openResponse(spentToken: string, purpose: string, sealed: string): object | null {
  const text = open(keyFrom(spentToken), purpose, sealed);
  return text === null ? null : JSON.parse(text);
}

/** The token has 256 random bits: deriving a key from it needs no salt and no slowness (RFC 5869 §3.1). */
const keyFrom = (spentToken: string): Buffer =>
  Buffer.from(hkdfSync("sha256", spentToken, "", "gatehouse answer to a refresh", 32));
