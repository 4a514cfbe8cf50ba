import { type KeyObject, verify } from "node:crypto";
import { compactVerify, decodeProtectedHeader, errors, SignJWT } from "jose";

/**
 * Signs claims as a JSON Web Token (RFC 7515 §3.1).
 * @param header the header parameters: the algorithm, the type and, for example, the key id.
 */
export const signJws = (
  header: Readonly<{ alg: string; typ: string }> & Readonly<Record<string, unknown>>,
  claims: object,
  key: KeyObject,
): Promise<string> => new SignJWT({ ...claims }).setProtectedHeader(header).sign(key);

/**
 * Returns whether a JSON Web Token in the compact serialization has a valid signature (RFC 7515 §5.2).
 * @param algorithm the only accepted value of `alg`.
 */
export async function isSignedBy(
  token: string,
  key: KeyObject | Uint8Array,
  algorithm: string,
): Promise<boolean> {
  if (algorithm === "ES256" && !(key instanceof Uint8Array) && isPlainES256(token, key))
    return isSignedByES256(token, key);
  try {
    await compactVerify(token, key, { algorithms: [algorithm] });
    return true;
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof TypeError) return false;
    throw cause;
  }
}

/** The characters of a JSON Web Token with a signature of 64 bytes. */
const ES256_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]{86}$/;

/**
 * The header parameters that do not change how the signature is verified. The library verifies a token with
 * any other header parameter, such as `crit`.
 */
const PLAIN_PARAMETERS = ["alg", "typ", "kid", "jwk"];

function isPlainES256(token: string, key: KeyObject): boolean {
  if (!ES256_TOKEN.test(token)) return false;
  if (key.type !== "public" || key.asymmetricKeyDetails?.namedCurve !== "prime256v1") return false;
  try {
    const header = decodeProtectedHeader(token);
    return header.alg === "ES256" && Object.keys(header).every((name) => PLAIN_PARAMETERS.includes(name));
  } catch {
    return false;
  }
}

/**
 * Verifies a signature in this thread. The library verifies a signature in the thread pool, which takes twice
 * the processor time. Every signature with ES256 takes the same time, unlike a signature with RSA, whose key the
 * client selects.
 */
function isSignedByES256(token: string, key: KeyObject): boolean {
  const end = token.lastIndexOf(".");
  const signature = Buffer.from(token.slice(end + 1), "base64url");
  return verify(
    "sha256",
    Buffer.from(token.slice(0, end), "latin1"),
    { key, dsaEncoding: "ieee-p1363" },
    signature,
  );
}
