import { hkdfSync } from "node:crypto";
import { open, seal } from "@/kernel/crypto/seal";
import type { Deps } from "@/kernel/deps/deps";

/**
 * Seals the response to a refresh, for a client that did not receive it. The key is derived from the spent
 * token, which is not in the database, so nothing readable is stored.
 * @param purpose identifies the request: a repeated request with other parameters cannot open the response.
 */
export const sealResponse = (deps: Deps, spentToken: string, purpose: string, response: object): string =>
  seal(deps.randomBytes, keyFrom(spentToken), purpose, JSON.stringify(response));

/**
 * Returns the sealed response with its members in the same order, so that it serializes to the same bytes;
 * null when it cannot be opened.
 */
export function openResponse(spentToken: string, purpose: string, sealed: string): object | null {
  const text = open(keyFrom(spentToken), purpose, sealed);
  return text === null ? null : JSON.parse(text);
}

/** The token has 256 random bits, so the key derivation needs no salt and no slow hash (RFC 5869 §3.1). */
const keyFrom = (spentToken: string): Buffer =>
  Buffer.from(hkdfSync("sha256", spentToken, "", "gatehouse answer to a refresh", 32));
