import type { KeyObject } from "node:crypto";
import { SignJWT } from "jose";

/**
 * Signs claims as a JSON Web Token with RSASSA-PKCS1-v1_5 and SHA-256 (RS256, RFC 7515 §3.1).
 * @param header further header parameters, such as the key id, in addition to `alg` and `typ`.
 */
export const signRs256 = (header: object, claims: object, key: KeyObject): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", typ: "JWT", ...header }).sign(key);
