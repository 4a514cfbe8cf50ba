import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint } from "jose";
import type { SigningAlgorithm } from "./rules";
import { type PublicJwk, publicJwk } from "./schema";

const MODULUS_BITS = 2048;

export type KeyPair = Readonly<{ privatePem: string; jwk: PublicJwk }>;

/**
 * Generates a key pair on another thread, because the generation of an RSA key takes at least 100 ms and
 * would block the main thread.
 */
export async function newKeyPair(algorithm: SigningAlgorithm): Promise<KeyPair> {
  const privateKey = await generators[algorithm]();
  const privatePem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { privatePem, jwk: await jwkOf(createPublicKey(privateKey), algorithm) };
}

const generate = promisify(generateKeyPair);

const generators: Readonly<Record<SigningAlgorithm, () => Promise<KeyObject>>> = {
  RS256: async () => (await generate("rsa", { modulusLength: MODULUS_BITS })).privateKey,
  ES256: async () => (await generate("ec", { namedCurve: "P-256" })).privateKey,
  EdDSA: async () => (await generate("ed25519", {})).privateKey,
};

async function jwkOf(key: KeyObject, algorithm: SigningAlgorithm): Promise<PublicJwk> {
  const kid = await calculateJwkThumbprint(key);
  return publicJwk.parse({ ...key.export({ format: "jwk" }), kid, use: "sig", alg: algorithm });
}

export const privateKeyOf = (pem: string): KeyObject => createPrivateKey(pem);
