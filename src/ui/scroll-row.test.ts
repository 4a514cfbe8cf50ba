import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const SUPPORTING = /@supports \(animation-timeline: scroll\(self inline\)\) \{\n(.*?)\n {2}\}\n/s;

describe("rows that scroll horizontally", () => {
  it("the edges of a row fade only in browsers that support scroll-driven animations", () => {
    const stylesheet = readFileSync("app/globals.css", "utf8");
    const fading = /mask-image|animation: fade-edges|animation-timeline: /g;
    expect(SUPPORTING.exec(stylesheet)?.[1]?.match(fading)).toHaveLength(3);
    expect(stylesheet.replace(SUPPORTING, "")).not.toMatch(fading);
  });
});
