import { expect, it } from "vitest";
import { pooledRandomBytes } from "./random.ts";

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

it("the pool of random bytes returns bytes of the requested size, and never the same bytes again", () => {
  const randomBytes = pooledRandomBytes();
  const texts = Array.from({ length: 1_000 }, () => textOf(randomBytes(32)));
  expect(new Set(texts).size).toBe(texts.length);
  for (const text of texts) expect(text).toMatch(/^[0-9a-f]{64}$/);
  expect(randomBytes(10_000)).toHaveLength(10_000);
  expect(textOf(randomBytes(4_096))).not.toMatch(/^0{64}/);
});

it("bytes that the pool has returned do not change when more bytes are requested", () => {
  const randomBytes = pooledRandomBytes();
  const first = randomBytes(32);
  const before = textOf(first);
  for (let number = 0; number < 300; number += 1) randomBytes(32).fill(7);
  expect(textOf(first)).toBe(before);
});
