import { expect, it } from "vitest";
import { restartPauses } from "./worker-restarts.ts";

it("replaces a dead worker immediately, and waits twice as long each time its replacement dies quickly", () => {
  const pauseAfter = restartPauses();
  const pauses = [3_600_000, 100, 100, 100, 100, 100].map(pauseAfter);
  expect(pauses).toEqual([0, 0, 500, 1_000, 2_000, 4_000]);
});

it("waits at most 30 seconds, and not at all after a worker that lived longer", () => {
  const pauseAfter = restartPauses();
  for (let death = 0; death < 40; death++) pauseAfter(0);
  expect(pauseAfter(0)).toBe(30_000);
  expect(pauseAfter(10_000)).toBe(0);
  expect(pauseAfter(0)).toBe(0);
});
