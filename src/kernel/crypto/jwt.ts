import { type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";

/**
 * Signs claims as a JSON Web Token with RSASSA-PKCS1-v1_5 and SHA-256 (RS256, RFC 7515 §3.1).
 * @param header what names the key, next to `alg` and `typ`.
 */
export async function signRs256(header: object, claims: object, key: KeyObject): Promise<string> {
  const input = `${encoded({ alg: "RS256", typ: "JWT", ...header })}.${encoded(claims)}`;
  const signature = await promisify(sign)("sha256", Buffer.from(input), key);
  return `${input}.${signature.toString("base64url")}`;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
