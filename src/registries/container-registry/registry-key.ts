import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import * as audit from "@/instance/audit/service";
import { lockInstance } from "@/instance/lock/instance-lock";
import type { SealedColumn } from "@/instance/secret-rotation/sealed-column";
import { signJws } from "@/kernel/crypto/jwt";
import { seal } from "@/kernel/crypto/seal";
import { openValue } from "@/kernel/crypto/sealed-value";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { certificateBody, selfSignedCertificate } from "./certificate";
import * as store from "./store";

const MODULUS_BITS = 2048;
const SERIAL_BYTES = 15;

/**
 * `opened` caches the decrypted signing key, because decrypting the key takes longer than signing a token.
 * The cached key belongs to `opened.certificate`. `firstPair` is the key pair that concurrent requests share
 * while the first signing key is created.
 */
const state = processWide<{
  opened: Readonly<{ certificate: string; key: KeyObject }> | null;
  firstPair: Promise<Awaited<ReturnType<typeof newPair>>> | null;
}>("registry-key", () => ({ opened: null, firstPair: null }));

/**
 * Signs a token for the registry (RS256). The token contains the certificate (`x5c`, RFC 7515 §4.1.6),
 * because all versions of the registry can verify the signature with a certificate in the token.
 * @throws Error if the signing key was encrypted with another instance secret.
 */
export async function signForRegistry(deps: Deps, claims: object): Promise<string> {
  const { certificate, key } = await signingKey(deps);
  return signJws({ alg: "RS256", typ: "JWT", x5c: [certificateBody(certificate)] }, claims, key);
}

/**
 * Returns the certificate (in PEM) with which the registry verifies the tokens of this instance. The first
 * call of this function creates the certificate.
 * @param renew whether to replace the signing key. After a renewal, the registry must no longer trust the old
 * certificate.
 */
export async function registryCertificate(deps: Deps, renew = false): Promise<string> {
  const before = renew ? null : await store.newestKey(deps.db);
  return (before ?? (await createKey(deps, renew))).certificate;
}

async function signingKey(deps: Deps): Promise<Readonly<{ certificate: string; key: KeyObject }>> {
  const row = (await store.newestKey(deps.db)) ?? (await createKey(deps, false));
  const { opened } = state();
  if (opened?.certificate === row.certificate) return opened;
  const pem = openValue(deps.keys, PURPOSE, row.sealedPrivate);
  if (pem === null)
    throw new Error(
      "The signing key of the registry cannot be decrypted with this instance secret. Set GATEHOUSE_SECRET to the secret that encrypted the key.",
    );
  const key = { certificate: row.certificate, key: createPrivateKey(pem) };
  state().opened = key;
  return key;
}

const PURPOSE = "registry-key";

const newPair = () => promisify(generateKeyPair)("rsa", { modulusLength: MODULUS_BITS });

function sharedPair(): ReturnType<typeof newPair> {
  const pending = state();
  pending.firstPair ??= newPair().finally(() => {
    pending.firstPair = null;
  });
  return pending.firstPair;
}

/**
 * Creates the signing key. If several processes create the first signing key concurrently, all of these
 * processes use the key that was stored first.
 */
async function createKey(deps: Deps, renew: boolean): Promise<store.RegistryKeyRow> {
  const { privateKey } = await (renew ? newPair() : sharedPair());
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const row = {
    sealedPrivate: seal(deps.randomBytes, deps.keys.sealing, PURPOSE, pem),
    certificate: selfSignedCertificate(privateKey, deps.randomBytes(SERIAL_BYTES), deps.clock()),
  };
  return deps.transaction(async (within) => {
    await lockInstance(within);
    const first = renew ? null : await store.newestKey(within.db);
    if (first !== null) return first;
    await store.replaceKey(within.db, row, within.clock());
    await audit.record(within, "registry.certificate_made", {}, {});
    return row;
  });
}

/**
 * The encrypted private keys that sign tokens for the container registry. A rotation of the instance secret
 * encrypts these private keys with the new secret.
 */
export const sealedRegistryKeys: SealedColumn = {
  column: "RegistryKey.sealedPrivate",
  list: store.listSealed,
  purpose: () => PURPOSE,
  replace: store.replaceSealed,
};
