import { describe, expect, it } from "vitest";
import { colorOf, initialsOf } from "./avatar.tsx";

describe("the initials of a name", () => {
  it.each([
    ["Ann Ng", "AN"],
    ["mia", "M"],
    ["Mia Åström-Öçalan", "MÅ"],
    ["acme-deploy", "AD"],
    ["  ", ""],
    ["ßa straße", "SS"],
    ["👍 Wiki (2)", "W2"],
    ["مرحبا بك", "مب"],
  ])("initialsOf derives the initials of the name %j: %j", (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});

describe("the color of initials", () => {
  it("colorOf always returns the same color for a name, and returns each of the twelve colors for some names", () => {
    expect(colorOf("Ann Ng")).toBe(colorOf("Ann Ng"));
    const counts = new Map<number, number>();
    for (let at = 0; at < 1200; at++) {
      const color = colorOf(`User ${at}`);
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at));
    expect(Math.max(...counts.values())).toBeLessThan(200);
  });
});
