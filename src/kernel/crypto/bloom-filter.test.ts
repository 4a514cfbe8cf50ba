import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { bloomFilterHas, bloomFilterOf } from "./bloom-filter.mjs";

const texts = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index}`);

describe("Bloom filters", () => {
  const filter = bloomFilterOf(new Set(texts(5_000, "in the set")));

  it(
    conformance("SC-10", "a Bloom filter recognizes every text of the set from which the filter was built"),
    () => {
      for (const text of texts(5_000, "in the set")) expect(bloomFilterHas(filter, text)).toBe(true);
    },
  );

  it(conformance("SC-10", "a Bloom filter returns at most one false positive for 10,000 texts"), () => {
    const falsePositives = texts(50_000, "another").filter((text) => bloomFilterHas(filter, text));
    expect(falsePositives.length).toBeLessThanOrEqual(5);
  });

  it("a Bloom filter has a size of 21 bits for each text", () => {
    expect(filter).toHaveLength(Math.ceil((5_000 * 21) / 8));
  });
});
