import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DurationUnit, durationText, parseDuration } from "./duration.ts";

describe("a duration of a setting", () => {
  it.each<[string, DurationUnit, number | null]>([
    ["2 hours", "seconds", 7200],
    ["2h", "seconds", 7200],
    ["1h30m", "seconds", 5400],
    ["1 hour 30 min", "minutes", 90],
    ["1 day, 12 hours and 5 seconds", "seconds", 129_605],
    ["1 day, 2 hours, and 3 minutes", "minutes", 1563],
    ["1.5 days", "hours", 36],
    ["0.1 hours", "seconds", 360],
    ["1 Week", "days", 7],
    ["2 months", "days", 60],
    ["1 year", "days", 365],
    [" 90 SECS ", "seconds", 90],
    ["7200", "seconds", 7200],
    ["48", "hours", 48],
    ["0", "seconds", 0],
    ["0 hours", "seconds", 0],
    ["90 minutes", "hours", null],
    ["1.5 seconds", "seconds", null],
    ["2 fortnights", "seconds", null],
    ["two hours", "seconds", null],
    ["-2 hours", "seconds", null],
    ["2 hours later", "seconds", null],
    ["1.5", "seconds", null],
    ["", "seconds", null],
    ["hours", "seconds", null],
    ["9999999999999 days", "seconds", null],
  ])("parseDuration parses the duration %j of a setting in %s as %j", (text, unit, expected) => {
    expect(parseDuration(text, unit)).toBe(expected);
  });

  it.each<[number, DurationUnit, string]>([
    [7200, "seconds", "2 hours"],
    [129_605, "seconds", "1 day, 12 hours and 5 seconds"],
    [365, "days", "1 year"],
    [0, "hours", "0"],
  ])("durationText formats %d %s as %j", (value, unit, expected) => {
    expect(durationText(value, unit)).toBe(expected);
  });

  it("a duration has the same value after it is formatted and parsed", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3650 * 86_400 }),
        fc.constantFrom<DurationUnit>("seconds", "minutes", "hours", "days"),
        (value, unit) => parseDuration(durationText(value, unit), unit) === value,
      ),
    );
  });

  it("a long text is parsed as a duration in bounded time", () => {
    expect(parseDuration("1 ".repeat(10_000), "seconds")).toBeNull();
    expect(parseDuration(`1h${" ".repeat(10_000)}x`, "seconds")).toBeNull();
  });
});
