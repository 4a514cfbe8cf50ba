import { hkdfSync } from "node:crypto";
import { open, seal } from "@/kernel/crypto/seal";
import type { Deps } from "@/kernel/deps/deps";

/**
 * Encrypts the response to a refresh request, for a client that repeats the request because the response was
 * lost. The key is derived from the used refresh token. The database contains only the digest of the refresh
 * token, so an attacker who can read the database cannot decrypt the response.
 * @param purpose identifies the refresh request, so that a repeated refresh request with other parameters
 * cannot decrypt the response.
 */
export const sealResponse = (deps: Deps, usedToken: string, purpose: string, response: object): string =>
  seal(deps.randomBytes, keyFrom(usedToken), purpose, JSON.stringify(response));

/**
 * Decrypts an encrypted response. The members of the decrypted response keep their order, so that the
 * response serializes to the same bytes.
 * @returns null when the response cannot be decrypted.
 */
export function openResponse(usedToken: string, purpose: string, sealed: string): object | null {
  const text = open(keyFrom(usedToken), purpose, sealed);
  return text === null ? null : JSON.parse(text);
}

/**
 * Derives the encryption key from a used refresh token. The token has 256 random bits, so the key derivation needs no
 * salt and no slow hash (RFC 5869 §3.1).
 */
const keyFrom = (usedToken: string): Buffer =>
  Buffer.from(hkdfSync("sha256", usedToken, "", "gatehouse answer to a refresh", 32));
