import { describe, expect, it } from "vitest";
import { endpoints, isCode, openAccessWorld, rowHolds } from "@/testing/access-check.ts";
import type { AccessRow } from "@/testing/access-table/row.ts";
import { ACCESS } from "@/testing/access-table.ts";

openAccessWorld();

const isPackage = ({ endpoint }: AccessRow): boolean => endpoint.includes("/packages");

describe("the access table", () => {
  it("the access table has exactly one row for each method of each route file", () => {
    expect(ACCESS.map(({ endpoint }) => endpoint).toSorted()).toEqual([...endpoints.keys()].toSorted());
  });

  // A separate file tests the access rules about source code, so that both test files can run in parallel.
  const rows = ACCESS.filter((row) => !isCode(row));
  const named = (some: readonly AccessRow[]) => some.map((row) => [row.endpoint, row] as const);

  // A rollback restores the rows of a removed project, but not its files. The tests of the access rules about
  // packages therefore run first.
  it.each(named(rows.filter(isPackage)))(
    "the endpoint allows and refuses each caller as the access table declares: %s",
    (_ask, row) => rowHolds(row),
  );
  it.each(named(rows.filter((row) => !isPackage(row))))(
    "the endpoint allows and refuses each caller as the access table declares: %s",
    (_ask, row) => rowHolds(row),
  );
});
