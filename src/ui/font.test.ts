import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import tailwind from "../../tailwind.config.ts";
import { FONT_URL } from "./font.ts";

describe("the font of the pages", () => {
  it("the URL of the font contains the digest of the font file, because browsers cache the font permanently", () => {
    const font = readFileSync(`public${FONT_URL}`);
    const digest = createHash("sha256").update(font).digest("hex").slice(0, 12);
    expect(basename(FONT_URL)).toBe(`inter-${digest}.woff2`);
    expect(font.byteLength).toBeLessThan(32_000);
  });

  it("the pages have only one font file, and the stylesheet loads the font from the preloaded URL", () => {
    expect(readdirSync("public/-/fonts").filter((file) => file.endsWith(".woff2"))).toEqual([
      basename(FONT_URL),
    ]);
    const sources = [...readFileSync("app/globals.css", "utf8").matchAll(/url\("([^"]+)"\)/g)];
    expect(sources.map(([, url]) => url)).toEqual([FONT_URL]);
  });
});

describe("the type scale", () => {
  it("the font sizes range from 12 to 32 pixels, in ascending order", () => {
    const sizes = Object.values(tailwind.theme.extend.fontSize).map(([size]) => Number.parseInt(size, 10));
    expect(sizes[0]).toBe(12);
    expect(sizes.at(-1)).toBe(32);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  });
});
