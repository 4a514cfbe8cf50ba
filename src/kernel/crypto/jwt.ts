import type { KeyObject } from "node:crypto";
import { SignJWT } from "jose";

/**
 * Signs claims as a JSON Web Token (RFC 7515 §3.1).
 * @param header the header parameters: the algorithm, the type and, for example, the key id.
 */
export const signJws = (
  header: Readonly<{ alg: string; typ: string }> & Readonly<Record<string, unknown>>,
  claims: object,
  key: KeyObject,
): Promise<string> => new SignJWT({ ...claims }).setProtectedHeader(header).sign(key);
