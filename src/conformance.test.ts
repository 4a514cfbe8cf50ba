import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

type Row = Readonly<{ id: string; specs: readonly string[] }>;

/** The rows of docs/conformance.md: a requirement's id, and the specs that prove it. */
function rowsOf(document: string): readonly Row[] {
  return document.split("\n").flatMap((line) => {
    const id = /^\| ([A-Z]{2}-\d\d) \|/.exec(line)?.[1];
    const specs = [...line.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map((found) => found[1] ?? "");
    return id === undefined ? [] : [{ id, specs }];
  });
}

/** Rows without a spec, and specs that are not there or do not name their requirement. */
const unprovenIn = (rows: readonly Row[], read: (file: string) => string | null): readonly string[] =>
  rows.flatMap(({ id, specs }) => {
    if (specs.length === 0) return [`${id} names no spec`];
    const named = new RegExp(`\\[(?:[A-Z]{2}-\\d\\d, )*${id}(?:, [A-Z]{2}-\\d\\d)*\\]`);
    return specs.filter((file) => !named.test(read(file) ?? "")).map((file) => `${id} is not in ${file}`);
  });

const readFile = (file: string): string | null => (existsSync(file) ? readFileSync(file, "utf8") : null);

describe("docs/conformance.md", () => {
  const rows = rowsOf(readFileSync(join("docs", "conformance.md"), "utf8"));

  it("names for each requirement a spec that exists and says so", () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(unprovenIn(rows, readFile)).toEqual([]);
  });

  it("has no requirement twice", () => {
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("would notice a spec that is gone, one that proves something else, and none at all", () => {
    const planted = rowsOf(
      "| AZ-01 | x | [a](../gone.ts) |\n| AZ-02 | x | [b](../other.ts) |\n| AZ-03 | x | |\n| AZ-04 | x | [c](../ok.ts) |",
    );
    const files: Readonly<Record<string, string>> = { "other.ts": "[AZ-01]", "ok.ts": "it [AC-01, AZ-04]" };
    expect(unprovenIn(planted, (file) => files[file] ?? null)).toEqual([
      "AZ-01 is not in gone.ts",
      "AZ-02 is not in other.ts",
      "AZ-03 names no spec",
    ]);
  });
});
