import { expect, it } from "vitest";
import { restartPauses } from "./worker-restarts.ts";

it("a worker that ends soon after its start is first replaced without a pause, and then after pauses that double each time", () => {
  const pauseAfter = restartPauses();
  const pauses = [3_600_000, 100, 100, 100, 100, 100].map(pauseAfter);
  expect(pauses).toEqual([0, 0, 500, 1_000, 2_000, 4_000]);
});

it("the pause before a worker is replaced is at most 30 seconds, and a worker that ran for ten seconds is replaced without a pause", () => {
  const pauseAfter = restartPauses();
  for (let death = 0; death < 40; death++) pauseAfter(0);
  expect(pauseAfter(0)).toBe(30_000);
  expect(pauseAfter(10_000)).toBe(0);
  expect(pauseAfter(0)).toBe(0);
});
