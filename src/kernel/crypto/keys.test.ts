import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { csrfToken, csrfTokenMatches, deriveKeys, userCodeDigest } from "./keys.ts";

const keys = deriveKeys("a secret of at least thirty-two characters");
const others = deriveKeys("another secret of at least thirty-two characters");

describe("deriveKeys", () => {
  it("deriveKeys derives the same keys from the same secret, and different keys from a different secret", () => {
    expect(deriveKeys("a secret of at least thirty-two characters")).toEqual(keys);
    expect(others.session).not.toBe(keys.session);
    expect(others.form).not.toEqual(keys.form);
    expect(others.check).not.toBe(keys.check);
  });

  it("deriveKeys derives a separate key for each use", () => {
    const all = [
      Buffer.from(keys.session, "base64url"),
      keys.form,
      keys.userCode,
      Buffer.from(keys.check, "hex"),
    ];
    expect(new Set(all.map((key) => key.toString("hex"))).size).toBe(4);
    for (const key of all) expect(key).toHaveLength(32);
  });
});

describe("CSRF tokens", () => {
  const token = csrfToken(keys, "session purpose");

  it(conformance("AZ-34", "a CSRF token is valid for the subject for which the token was created"), () => {
    expect(csrfTokenMatches(keys, "session purpose", token)).toBe(true);
  });

  it.each<[string, string]>([
    ["an empty string", ""],
    ["a prefix of the token", token.slice(0, -1)],
    ["a longer text", `${token}A`],
    ["the token of another subject", csrfToken(keys, "session other")],
    ["the token of another instance", csrfToken(others, "session purpose")],
    ["text with non-ASCII characters of the same length", "é".repeat(token.length)],
  ])(conformance("AZ-34", "the check of a CSRF token refuses %s"), (_what, candidate) => {
    expect(csrfTokenMatches(keys, "session purpose", candidate)).toBe(false);
  });
});

describe("user codes", () => {
  it(conformance("XC-16", "the digest of a user code depends on the instance secret and on the code"), () => {
    const stored = userCodeDigest(keys, "BCDFGHJK");
    expect(stored).toMatch(/^[0-9a-f]{64}$/);
    expect(userCodeDigest(keys, "BCDFGHJK")).toBe(stored);
    expect(userCodeDigest(keys, "BCDFGHJL")).not.toBe(stored);
    expect(userCodeDigest(others, "BCDFGHJK")).not.toBe(stored);
  });
});
