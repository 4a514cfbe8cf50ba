// Writes the font of the pages: `node scripts/font.mjs`. Decision 64 describes the subset of the font.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
// @ts-expect-error: the package has no types.
import subsetFont from "subset-font";

const FOLDER = "public/-/fonts";

/**
 * The Unicode ranges of the font subset: Latin, Latin-1, Latin Extended-A, punctuation, arrows and a few
 * signs.
 */
const RANGES = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x218, 0x21b],
  [0x1e9e, 0x1e9e],
  [0x2009, 0x200a],
  [0x2013, 0x2014],
  [0x2018, 0x201e],
  [0x2020, 0x2022],
  [0x2026, 0x2026],
  [0x202f, 0x202f],
  [0x2039, 0x203a],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
  [0x2713, 0x2713],
];

/**
 * The OpenType features that the pages use: kerning, accents, language variants, alternates and digits of equal
 * width.
 */
const FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "calt", "tnum", "rvrn"];

const text = RANGES.flatMap(([first = 0, last = 0]) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
).join("");
const source = fileURLToPath(import.meta.resolve("inter-ui/variable/InterVariable.woff2"));
const font = await subsetFont(readFileSync(source), text, {
  targetFormat: "woff2",
  keepFeatures: FEATURES,
  noHinting: true,
  // The optical size of body text, and the weights from regular to bold.
  variationAxes: { opsz: 14, wght: { min: 400, max: 700 } },
});
const name = `inter-${createHash("sha256").update(font).digest("hex").slice(0, 12)}.woff2`;
for (const old of readdirSync(FOLDER)) if (old.endsWith(".woff2")) rmSync(`${FOLDER}/${old}`);
writeFileSync(`${FOLDER}/${name}`, font);
console.log(
  `${FOLDER}/${name}: ${font.length} bytes. Write this name into src/ui/font.ts and app/globals.css.`,
);
