import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { monitorProgress, type ProgressSample } from "./client-progress.ts";

/**
 * Returns the number of seconds after which `monitorProgress` ends a Git request; null if the Git request may
 * run for an hour.
 */
function endOf(at: (second: number) => ProgressSample): number | null {
  const monitor = monitorProgress();
  for (let second = 1; second <= 3_600; second += 1) if (monitor(at(second)) === "over") return second;
  return null;
}

it("monitorProgress accepts a client that sends or reads a kilobyte per second", () => {
  expect(endOf((second) => ({ movedBytes: second * 1_000, waitsForClient: true }))).toBeNull();
});

it("monitorProgress ends the request of a client that is slower than a kilobyte per second, whether the bytes arrive evenly or only at the end", () => {
  expect(endOf((second) => ({ movedBytes: second * 900, waitsForClient: true }))).toBe(60);
  expect(endOf((second) => ({ movedBytes: Math.floor(second / 100), waitsForClient: true }))).toBe(60);
  const once = (second: number) => ({ movedBytes: second < 30 ? 0 : 1_000_000, waitsForClient: true });
  expect(endOf(once)).toBe(120);
});

it("monitorProgress counts only the time in which Git waits for the client", () => {
  const works = (second: number) => ({ movedBytes: Math.floor(second / 5) * 9, waitsForClient: false });
  expect(endOf(works)).toBeNull();
  // Git works for 55 seconds, and then the client reads ten kilobytes per second.
  const later = (second: number) => ({
    movedBytes: Math.max(0, second - 55) * 10_000,
    waitsForClient: second > 55,
  });
  expect(endOf(later)).toBeNull();
});

it("monitorProgress ends a Git process that reads and writes nothing for two minutes", () => {
  expect(endOf((second) => ({ movedBytes: Math.min(second, 10), waitsForClient: false }))).toBe(130);
});

it(
  conformance(
    "SC-42",
    "monitorProgress reports a stall when a client transfers less than five kilobytes in five seconds",
  ),
  () => {
    const monitor = monitorProgress();
    const states = Array.from({ length: 15 }, (_, second) =>
      monitor({ movedBytes: second < 10 ? 70_000 : 70_000 + (second - 9) * 20_000, waitsForClient: true }),
    );
    expect(states).toEqual([
      ...["moves", "moves", "moves", "moves", "moves", "stalls", "stalls", "stalls", "stalls", "stalls"],
      ...["moves", "moves", "moves", "moves", "moves"],
    ]);
    const working = monitorProgress();
    for (let second = 0; second < 60; second += 1)
      expect(working({ movedBytes: second, waitsForClient: false })).toBe("moves");
  },
);
