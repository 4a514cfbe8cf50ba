import { describe, it } from "vitest";
import { isCode, openAccessWorld, rowHolds } from "@/testing/access-check.ts";
import { ACCESS } from "@/testing/access-table.ts";
import { GIT } from "@/testing/repository.ts";

openAccessWorld();

describe("the access table for repositories", () => {
  const rows = ACCESS.filter(isCode).map((row) => [row.endpoint, row] as const);

  it.each(rows)("holds for %s", GIT, (_ask, row) => rowHolds(row));
});
