import { createPublicKey, type KeyObject } from "node:crypto";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { fitsAlgorithm, type PublicKey, parseKeySet } from "../applications/key-set";
import { openSecret } from "../applications/new-secret";
import type { ClientWithKeys } from "../applications/service";

/** A key that can verify a client assertion, and the client secret from which the key was derived. */
export type VerificationKey = Readonly<{
  key: KeyObject | Uint8Array;
  secret?: ClientWithKeys["secrets"][number];
}>;

type ImportedKey = Readonly<{ jwk: PublicKey; key: KeyObject }>;

/** The maximum number of cached key sets. */
const KEY_SETS_MAX = 500;

/**
 * The imported public keys of clients, keyed by the text of the JWK Set that contains them. The keys are
 * cached, because importing a key takes longer than verifying a signature.
 */
const imported = processWide<Map<string, readonly ImportedKey[]>>("client-keys", () => new Map());

/** Returns the keys of a JWK Set that can verify an assertion with this JOSE header. */
export const publicKeysFor = (
  keySet: string,
  header: Readonly<{ alg: string; kid: string | undefined }>,
): readonly VerificationKey[] =>
  importKeys(keySet)
    .filter(({ jwk }) => fitsAlgorithm(jwk, header.alg) && (jwk.alg === undefined || jwk.alg === header.alg))
    .filter(({ jwk }) => header.kid === undefined || jwk.kid === undefined || jwk.kid === header.kid)
    .map(({ key }) => ({ key }));

function importKeys(keySet: string): readonly ImportedKey[] {
  const keySets = imported();
  const before = keySets.get(keySet);
  if (before !== undefined) return before;
  const parsed = parseKeySet(keySet);
  const keys = "problem" in parsed ? [] : parsed.keys.flatMap(importKey);
  if (keySets.size >= KEY_SETS_MAX) keySets.clear();
  keySets.set(keySet, keys);
  return keys;
}

/** Returns an empty list for a public key that is not a point of its curve. */
function importKey(jwk: PublicKey): readonly ImportedKey[] {
  try {
    return [{ jwk, key: createPublicKey({ format: "jwk", key: jwk }) }];
  } catch {
    return [];
  }
}

/**
 * Returns the secrets of a client as keys for HS256. The HS256 key that is derived from a client secret
 * consists of the bytes of the secret (OpenID Connect Core §10.1).
 */
export const secretKeysOf = (deps: Pick<Deps, "keys">, client: ClientWithKeys): readonly VerificationKey[] =>
  client.secrets.flatMap((secret) => {
    const plain = secret.sealed && openSecret(deps, client.application, secret.sealed);
    return plain ? [{ key: Buffer.from(plain), secret }] : [];
  });
