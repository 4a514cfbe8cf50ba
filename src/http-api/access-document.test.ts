import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { accessDocument } from "../../scripts/api-access.mjs";

it("docs/api-access.md says what the table of access says", () => {
  const document = readFileSync("docs/api-access.md", "utf8");
  expect(document === accessDocument(), "Run: node scripts/api-access.mjs").toBe(true);
  expect(document.match(/^\| `(?:GET|POST|PUT|PATCH|DELETE) \//gm)?.length).toBeGreaterThan(50);
});
