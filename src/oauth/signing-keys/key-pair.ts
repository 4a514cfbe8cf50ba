import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { type PublicJwk, publicJwk } from "./schema";

const MODULUS_BITS = 2048;

export type KeyPair = Readonly<{ privatePem: string; jwk: PublicJwk }>;

/** A new RSA key. It is made aside, on another thread: it takes a tenth of a second and more. */
export async function newKeyPair(): Promise<KeyPair> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: MODULUS_BITS });
  const privatePem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { privatePem, jwk: jwkOf(createPublicKey(privateKey)) };
}

function jwkOf(key: KeyObject): PublicJwk {
  const { kty, n, e } = key.export({ format: "jwk" });
  // RFC 7638 §3: the required members alone, in this order, without spaces.
  const kid = createHash("sha256").update(JSON.stringify({ e, kty, n })).digest("base64url");
  return publicJwk.parse({ kty, n, e, kid, use: "sig", alg: "RS256" });
}

export const privateKeyOf = (pem: string): KeyObject => createPrivateKey(pem);

export const publicKeyOf = (jwk: PublicJwk): KeyObject => createPublicKey({ key: { ...jwk }, format: "jwk" });
