import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { newUserCode, readUserCode, shownUserCode } from "./user-code.ts";

describe("a user code", () => {
  it(
    conformance(
      "DA-01",
      "a user code has eight letters, and each of the twenty possible letters has the same probability",
    ),
    () => {
      const counts = new Map<string, number>();
      for (let count = 0; count < 5_000; count++) {
        const code = newUserCode(randomBytes);
        expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
        for (const letter of code) counts.set(letter, (counts.get(letter) ?? 0) + 1);
      }
      expect(counts.size).toBe(20);
      // The expected count of each letter is 2,000, with a standard deviation of 44.
      for (const count of counts.values()) expect(Math.abs(count - 2_000)).toBeLessThan(6 * 44);
    },
  );

  it("newUserCode discards random bytes that would favor the first letters", () => {
    const bytes = [240, 255, 0, 1, 2, 3, 4, 5, 6, 19];
    expect(newUserCode(() => Uint8Array.from(bytes))).toBe("BCDFGHJZ");
  });

  it("a user code is shown as two groups of four letters", () =>
    expect(shownUserCode("BCDFGHJK")).toBe("BCDF-GHJK"));

  it.each([
    ["BCDF-GHJK"],
    ["bcdf-ghjk"],
    ["BCDFGHJK"],
    [" bcdf ghjk\n"],
    ["b c d f g h j k"],
    ["BCDF–GHJK"],
    ["BCDF—GHJK"],
    ["BCDF‑GHJK"],
    ["BCDF−GHJK"],
    ["bcdf\u00a0-\u00a0ghjk"],
    ["bcdfg-hjk-"],
  ])(conformance("DV-08", "readUserCode parses the input %j"), (typed) => {
    expect(readUserCode(typed)).toBe("BCDFGHJK");
  });

  it.each([[""], ["BCDF-GHJ"], ["BCDF-GHJKL"], ["ACDF-GHJK"], ["BCDF_GHJK"], ["BCDF-GHJ1"], ["ßCDF-GHJK"]])(
    "readUserCode returns null for the input %j",
    (typed) => {
      expect(readUserCode(typed)).toBeNull();
    },
  );
});
