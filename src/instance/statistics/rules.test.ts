import { describe, expect, it } from "vitest";
import { barsOf, hourOf, PERIODS, type Period, readPeriod, startOf } from "./rules.ts";

const NOW = new Date("2026-11-23T04:25:31.000Z");
const hours = (before: number): Date => new Date(hourOf(NOW).getTime() - before * 3_600_000);

describe("the bars of a period", () => {
  it.each<[Period, number]>([
    ["24h", 24],
    ["7d", 168],
    ["30d", 720],
  ])("the bars of the period %s cover %d hours, including the current hour", (period, length) => {
    const { bars, hoursPerBar } = PERIODS[period];
    expect(bars * hoursPerBar).toBe(length);
    expect(startOf(period, NOW)).toEqual(hours(length - 1));
    const counts = [0, length - 1, length].map((before) => ({ hour: hours(before), count: 1 }));
    const result = barsOf(period, NOW, counts);
    expect(result).toHaveLength(bars);
    expect(result[0]?.count, "the first hour").toBe(1);
    expect(result.at(-1)?.count, "the current hour").toBe(1);
    expect(
      result.reduce((sum, { count }) => sum + count, 0),
      "an hour before the period",
    ).toBe(2);
  });

  it("a bar that covers several hours shows the sum of these hours", () => {
    const result = barsOf("7d", NOW, [
      { hour: hours(0), count: 2 },
      { hour: hours(5), count: 3 },
      { hour: hours(6), count: 5 },
    ]);
    expect(result.slice(-2).map(({ count }) => count)).toEqual([5, 5]);
  });
});

it("`readPeriod` returns the period of 24 hours for an unknown name", () => {
  expect(["7d", "", "1y", "toString", "__proto__"].map(readPeriod)).toEqual([
    "7d",
    "24h",
    "24h",
    "24h",
    "24h",
  ]);
});
