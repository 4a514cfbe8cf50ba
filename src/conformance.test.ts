import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSpecs, renewed } from "../scripts/conformance.mjs";

const RENEW = "Run: node scripts/conformance.mjs";

describe("docs/conformance.md", () => {
  const document = readFileSync(join("docs", "conformance.md"), "utf8");

  it("says of every requirement which specs prove it, and of no other", () => {
    const now = renewed(document, readSpecs());
    expect(now.problems).toEqual([]);
    expect(now.document === document, RENEW).toBe(true);
    expect(document.match(/^\| [A-Z]{2}-\d\d \|/gm)?.length).toBeGreaterThan(300);
  });

  it("would notice a spec that is gone, one that is new, a row that is missing and one that is there twice", () => {
    const rows = [
      "| AZ-01 | has a spec | |",
      "| AZ-02 | its spec is gone | [a.test.ts](../src/a.test.ts) |",
      "| AZ-03 | is there twice | |",
      "| AZ-03 | is there twice | |",
      "\n## Not met\n\n| AZ-05 | by hand | a reason |",
    ];
    const specs = new Map([
      ["src/a.test.ts", `it("[AZ-01]") it("x [AZ-03, AZ-04]") [ZZ-1] [AZ-011]`],
      ["src/b.test.ts", `it("y [AZ-03, AZ-01]")`],
    ]);
    const link = (name: string) => `[${name}.test.ts](../src/${name}.test.ts)`;
    const both = `${link("a")}<br>${link("b")}`;
    const now = renewed(rows.join("\n"), specs);
    expect(now.document.split("\n").filter((line) => line.startsWith("|"))).toEqual([
      `| AZ-01 | has a spec | ${both} |`,
      "| AZ-02 | its spec is gone |  |",
      `| AZ-03 | is there twice | ${both} |`,
      `| AZ-03 | is there twice | ${both} |`,
      "| AZ-05 | by hand | a reason |",
    ]);
    expect(now.problems).toEqual([
      'AZ-02 is named by no spec: name it there, or move it to "Not met".',
      "AZ-03 is there twice.",
      "AZ-04 has no row, and src/a.test.ts names it: write one.",
    ]);
    expect(renewed(now.document, specs).document).toBe(now.document);
  });
});
