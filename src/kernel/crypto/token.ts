import { hash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";

declare const digestBrand: unique symbol;
/** What the database keeps of a token: the SHA-256 of it, in hexadecimal. */
export type TokenDigest = string & { readonly [digestBrand]: true };

/** The prefix names the kind, so that a scanner, a log filter and a person can tell what leaked. */
export const TOKEN_PREFIXES = {
  access: "ghat_",
  refresh: "ghrt_",
  code: "ghac_",
  device: "ghdc_",
  session: "ghse_",
  clientSecret: "ghcs_",
  personal: "ghpt_",
  runner: "ghrn_",
} as const satisfies Record<string, string>;

export type TokenKind = keyof typeof TOKEN_PREFIXES;

/**
 * A new opaque token: prefix, 32 random bytes in base64url, and a checksum of seven characters with which a
 * scanner tells a real token from a look-alike without asking anybody.
 */
export function newToken(randomBytes: (size: number) => Uint8Array, kind: TokenKind): string {
  const body = TOKEN_PREFIXES[kind] + Buffer.from(randomBytes(32)).toString("base64url");
  return body + checksum(body);
}

const checksum = (body: string): string => crc32(body).toString(36).padStart(7, "0").slice(-7);

/** Whether a text claims to be a token of ours: then it is never tried as a password. */
export const looksLikeToken = (text: string): boolean =>
  Object.values(TOKEN_PREFIXES).some((prefix) => text.startsWith(prefix));

/** The last characters of a token, for people to tell one from another: part of its checksum, none of its secret. */
export const endingOf = (token: string): string => token.slice(-4);

/** 32 random bytes cannot be guessed, so neither salt nor a slow hash would add anything. */
export const digest = (token: string): TokenDigest => hash("sha256", token, "hex") as TokenDigest;

/** Constant time: tells nothing of where the first difference is. */
export const matches = (given: string, stored: string): boolean => {
  const a = Buffer.from(digest(given));
  const b = Buffer.from(stored);
  return a.length === b.length && timingSafeEqual(a, b);
};
