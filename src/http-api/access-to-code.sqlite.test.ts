import { describe, it } from "vitest";
import { isCode, openAccessWorld, rowHolds } from "@/testing/access-check.ts";
import { ACCESS } from "@/testing/access-table.ts";
import { GIT } from "@/testing/repository.ts";

openAccessWorld();

describe("the access rules of the repository endpoints", () => {
  const rows = ACCESS.filter(isCode).map((row) => [row.endpoint, row] as const);

  it.each(rows)(
    "the access rules allow and refuse each caller as the access table declares: %s",
    GIT,
    (_ask, row) => rowHolds(row),
  );
});
