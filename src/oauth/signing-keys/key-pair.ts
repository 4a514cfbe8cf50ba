import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint } from "jose";
import { type PublicJwk, publicJwk } from "./schema";

const MODULUS_BITS = 2048;

export type KeyPair = Readonly<{ privatePem: string; jwk: PublicJwk }>;

/** Generates an RSA key pair on another thread, because the generation takes at least 100 ms. */
export async function newKeyPair(): Promise<KeyPair> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: MODULUS_BITS });
  const privatePem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { privatePem, jwk: await jwkOf(createPublicKey(privateKey)) };
}

async function jwkOf(key: KeyObject): Promise<PublicJwk> {
  const kid = await calculateJwkThumbprint(key);
  return publicJwk.parse({ ...key.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" });
}

export const privateKeyOf = (pem: string): KeyObject => createPrivateKey(pem);
