import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { integer } from "../db/column-types.ts";
import type { Reads } from "../db/prepared.ts";
import { countListed, listStatements } from "./list-statements.ts";
import { COUNTED_MAX } from "./paging.ts";

const list = listStatements({
  name: "rows_of_test",
  parameters: { ownerId: integer },
  from: () => `"Row" r WHERE r."ownerId" = :ownerId`,
  order: `r."id"`,
});

let rows: number;
let counts: number;
const reads = {
  first: () => {
    counts += 1;
    return Promise.resolve({ count: Math.min(rows, COUNTED_MAX + 1) });
  },
} as unknown as Reads;

beforeEach(() => {
  counts = 0;
});
afterEach(() => vi.restoreAllMocks());

it("a list with at most COUNTED_MAX rows is counted for each page", async () => {
  rows = COUNTED_MAX;
  expect(await countListed(reads, list, { ownerId: 1 })).toBe(COUNTED_MAX);
  rows = 5;
  expect(await countListed(reads, list, { ownerId: 1 })).toBe(5);
  expect(counts).toBe(2);
});

it("a list with more rows is counted again only after ten seconds", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(1_000);
  rows = COUNTED_MAX + 1;
  expect(await countListed(reads, list, { ownerId: 2 })).toBe(COUNTED_MAX + 1);
  rows = 5;
  expect(await countListed(reads, list, { ownerId: 2 })).toBe(COUNTED_MAX + 1);
  expect(await countListed(reads, list, { ownerId: 3 })).toBe(5);
  clock.mockReturnValue(11_000);
  expect(await countListed(reads, list, { ownerId: 2 })).toBe(5);
  expect(counts).toBe(3);
});
