import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Theme = "light" | "dark";
type Color = readonly [number, number, number];

/** The colors in the stylesheet, keyed by name. */
const TABLE = new Map(
  [
    ...readFileSync("app/globals.css", "utf8").matchAll(
      /--([\w-]+): light-dark\(#([\da-f]{6}), #([\da-f]{6})\);/g,
    ),
  ].map(([, name = "", light = "", dark = ""]) => [name, { light, dark }] as const),
);

function color(name: string, theme: Theme): Color {
  const hex = TABLE.get(name)?.[theme];
  if (hex === undefined) throw new Error(`The stylesheet has no color --${name}.`);
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return [channel(0), channel(2), channel(4)];
}

/** Returns the relative luminance of a color (WCAG 2.2). */
function luminance(color: Color): number {
  const [red, green, blue] = color.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  ) as unknown as Color;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Color, other: Color): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const GROUNDS = ["ground", "panel", "soft"];
const AVATARS = Array.from({ length: 12 }, (_, at) => at);

/**
 * The colors of texts with their background colors. WCAG 2.2, criterion 1.4.3 requires a contrast of 4.5:1.
 */
const TEXTS: readonly (readonly [string, readonly string[]])[] = [
  ["ink", [...GROUNDS, "warning", "danger-soft", "success-soft", "info-soft"]],
  ["muted", ["ground", "panel", "soft"]],
  ["accent", GROUNDS],
  ["on-accent", ["accent"]],
  ["on-warning", ["warning", "panel", "ground"]],
  ["danger", ["danger-soft", "panel", "ground"]],
  ["success", ["success-soft", "panel", "ground"]],
  ["info", ["info-soft", "panel", "ground"]],
  ...AVATARS.map((at) => [`on-avatar-${at}`, [`avatar-${at}`]] as const),
  // The avatars of applications have the inverse colors of the avatars of users.
  ...AVATARS.map((at) => ["panel", [`on-avatar-${at}`]] as const),
];

/**
 * The colors of borders of controls and of focus rings, with their background colors. WCAG 2.2, criteria
 * 1.4.11 and 2.4.13 require a contrast of 3:1.
 */
const SHAPES: readonly (readonly [string, readonly string[]])[] = [
  ["control", ["ground", "panel"]],
  ["accent", GROUNDS],
  ["danger", GROUNDS],
];

describe.each(["light", "dark"] as const)("the colors of the %s theme", (theme) => {
  it.each([...TEXTS.map((row) => [4.5, ...row] as const), ...SHAPES.map((row) => [3, ...row] as const)])(
    "the contrast is at least %d:1 for the text or border color %s on the background colors %j",
    (least, name, grounds) => {
      for (const ground of grounds)
        expect(contrast(color(name, theme), color(ground, theme)), ground).toBeGreaterThanOrEqual(least);
    },
  );
});
