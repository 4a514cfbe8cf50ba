import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { judgePace, type ProgressSample } from "./pace.ts";

/** The second in which a call is ended; null when it goes on for an hour. */
function endOf(at: (second: number) => ProgressSample): number | null {
  const judge = judgePace();
  for (let second = 1; second <= 3_600; second += 1) if (judge(at(second)) === "over") return second;
  return null;
}

it("a client that sends or takes a kilobyte in a second is waited for", () => {
  expect(endOf((second) => ({ movedBytes: second * 1_000, waitsForClient: true }))).toBeNull();
});

it("one that sends or takes less is not, however it spreads its bytes", () => {
  expect(endOf((second) => ({ movedBytes: second * 900, waitsForClient: true }))).toBe(60);
  expect(endOf((second) => ({ movedBytes: Math.floor(second / 100), waitsForClient: true }))).toBe(60);
  const once = (second: number) => ({ movedBytes: second < 30 ? 0 : 1_000_000, waitsForClient: true });
  expect(endOf(once)).toBe(120);
});

it("the time in which Git works by itself does not count", () => {
  const works = (second: number) => ({ movedBytes: Math.floor(second / 5) * 9, waitsForClient: false });
  expect(endOf(works)).toBeNull();
  // 55 seconds of thinking, and then a client that takes ten kilobytes a second.
  const later = (second: number) => ({
    movedBytes: Math.max(0, second - 55) * 10_000,
    waitsForClient: second > 55,
  });
  expect(endOf(later)).toBeNull();
});

it("Git that says nothing for two minutes is ended", () => {
  expect(endOf((second) => ({ movedBytes: Math.min(second, 10), waitsForClient: false }))).toBe(130);
});

it(
  conformance(
    "SC-42",
    "a client that moves less than five kilobytes in five seconds stalls until it moves again",
  ),
  () => {
    const judge = judgePace();
    const paces = Array.from({ length: 15 }, (_, second) =>
      judge({ movedBytes: second < 10 ? 70_000 : 70_000 + (second - 9) * 20_000, waitsForClient: true }),
    );
    expect(paces).toEqual([
      ...["moves", "moves", "moves", "moves", "moves", "stalls", "stalls", "stalls", "stalls", "stalls"],
      ...["moves", "moves", "moves", "moves", "moves"],
    ]);
    const thinks = judgePace();
    for (let second = 0; second < 60; second += 1)
      expect(thinks({ movedBytes: second, waitsForClient: false })).toBe("moves");
  },
);
