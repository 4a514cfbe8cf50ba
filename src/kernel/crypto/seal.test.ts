import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { open, seal } from "./seal.ts";

const key = Buffer.alloc(32, 1);
const sealed = seal(randomBytes, key, "greeting", "Grüße");

describe("an encrypted text", () => {
  it("an encrypted text can be decrypted with the key and the purpose with which the text was encrypted", () => {
    expect(open(key, "greeting", sealed)).toBe("Grüße");
    expect(open(key, "nothing", seal(randomBytes, key, "nothing", ""))).toBe("");
  });

  it("an encrypted text does not reveal the original text, and each encryption returns a different text", () => {
    expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("Gr");
    expect(seal(randomBytes, key, "greeting", "Grüße")).not.toBe(sealed);
  });

  it("an encrypted text cannot be decrypted with another key or for another purpose", () => {
    expect(open(Buffer.alloc(32, 2), "greeting", sealed)).toBeNull();
    expect(open(key, "farewell", sealed)).toBeNull();
  });

  it("an encrypted text cannot be decrypted after any bit was changed, or after the text was truncated", () => {
    const bytes = Buffer.from(sealed, "base64url");
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(open(key, "greeting", changed.toString("base64url"))).toBeNull();
      expect(open(key, "greeting", bytes.subarray(0, index).toString("base64url"))).toBeNull();
    }
    expect(open(key, "greeting", "")).toBeNull();
  });
});
