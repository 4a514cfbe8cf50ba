import { hash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";

declare const digestBrand: unique symbol;
/** The SHA-256 digest of a token in hexadecimal. The database stores the digest instead of the token. */
export type TokenDigest = string & { readonly [digestBrand]: true };

/**
 * The prefixes of tokens. The prefix identifies the kind of a leaked token for scanners, log filters and
 * readers.
 */
export const TOKEN_PREFIXES = {
  access: "ghat_",
  refresh: "ghrt_",
  code: "ghac_",
  device: "ghdc_",
  pushedRequest: "ghpr_",
  session: "ghse_",
  clientSecret: "ghcs_",
  personal: "ghpt_",
  deploy: "ghdt_",
  runner: "ghrn_",
  registration: "ghcr_",
} as const satisfies Record<string, string>;

export type TokenKind = keyof typeof TOKEN_PREFIXES;

/**
 * Returns a new opaque token: a prefix, 32 random bytes in base64url, and a checksum of seven characters.
 * With the checksum, a scanner can recognize a real token without a request to the server.
 */
export function newToken(randomBytes: (size: number) => Uint8Array, kind: TokenKind): string {
  const body = TOKEN_PREFIXES[kind] + Buffer.from(randomBytes(32)).toString("base64url");
  return body + checksum(body);
}

const checksum = (body: string): string => crc32(body).toString(36).padStart(7, "0").slice(-7);

/**
 * A JWT (RFC 7519 §3): its header is a JSON object, so the base64url form of the header begins with `eyJ`.
 */
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/;

/**
 * Returns whether a text looks like a Gatehouse token or a JWT access token. The server never checks a text
 * that looks like a token as a password.
 */
export const looksLikeToken = (text: string): boolean =>
  JWT.test(text) || Object.values(TOKEN_PREFIXES).some((prefix) => text.startsWith(prefix));

/**
 * Returns the last characters of a token, with which users can distinguish their tokens. The last characters
 * belong to the checksum, not to the secret.
 */
export const endingOf = (token: string): string => token.slice(-4);

/**
 * Returns the digest of a token. A token has 32 random bytes, which cannot be guessed, so neither a salt nor
 * a slow hash is needed.
 */
export const digest = (token: string): TokenDigest => hash("sha256", token, "hex") as TokenDigest;

/**
 * Returns whether a token has the stored digest. The comparison takes constant time, so its duration does not
 * reveal the position of the first difference.
 */
export const matches = (given: string, stored: string): boolean => {
  const a = Buffer.from(digest(given));
  const b = Buffer.from(stored);
  return a.length === b.length && timingSafeEqual(a, b);
};
