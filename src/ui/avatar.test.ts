import { describe, expect, it } from "vitest";
import { colourOf, initialsOf } from "./avatar.tsx";

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

describe("the colour of initials", () => {
  it("colourOf always returns the same colour for a name, and returns each of the twelve colours for some names", () => {
    expect(colourOf("Ann Ng")).toBe(colourOf("Ann Ng"));
    const counts = new Map<number, number>();
    for (let at = 0; at < 1200; at++) {
      const colour = colourOf(`User ${at}`);
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at));
    expect(Math.max(...counts.values())).toBeLessThan(200);
  });
});
