import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { digest, matches, newToken, TOKEN_PREFIXES, type TokenKind } from "./token.ts";

const KINDS = Object.keys(TOKEN_PREFIXES) as TokenKind[];

describe("newToken", () => {
  it.each(KINDS)(
    conformance(
      "XC-17",
      "newToken returns a token with the prefix of its kind and 32 random bytes, in URL-safe ASCII: %s",
    ),
    (kind) => {
      const bytes = randomBytes(32);
      const token = newToken(() => bytes, kind);
      expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(token.slice(0, 5)).toBe(TOKEN_PREFIXES[kind]);
      expect(Buffer.from(token.slice(5, 48), "base64url")).toEqual(bytes);
    },
  );

  it(conformance("XC-17", "newToken uses exactly 32 random bytes"), () => {
    const sizes: number[] = [];
    newToken((size) => {
      sizes.push(size);
      return randomBytes(size);
    }, "access");
    expect(sizes).toEqual([32]);
  });

  it("newToken returns a token that ends with a checksum", () => {
    for (let round = 0; round < 200; round++) {
      const token = newToken(randomBytes, "access");
      expect(token).toHaveLength(5 + 43 + 7);
      expect(token.slice(-7)).toBe(crc32(token.slice(0, -7)).toString(36).padStart(7, "0"));
    }
  });

  it("newToken uses a different prefix for each kind of token", () => {
    expect(new Set(Object.values(TOKEN_PREFIXES)).size).toBe(KINDS.length);
  });
});

describe("digest", () => {
  it(conformance("XC-16", "digest returns the SHA-256 digest of a token in hexadecimal"), () => {
    expect(digest("abc")).toBe(createHash("sha256").update("abc").digest("hex"));
  });

  it("the digest of a token matches this token and no other token", () => {
    const token = newToken(randomBytes, "clientSecret");
    expect(matches(token, digest(token))).toBe(true);
    for (const other of ["", token.slice(0, -1), `${token} `, token.toUpperCase(), digest(token)])
      expect(matches(other, digest(token))).toBe(false);
    expect(matches(token, "")).toBe(false);
  });
});
