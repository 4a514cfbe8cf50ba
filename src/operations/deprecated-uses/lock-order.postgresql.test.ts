import { expect, it } from "vitest";
import { openTestDeps } from "@/testing/deps.ts";
import { whileUncommitted } from "@/testing/transactions.ts";
import { addUses } from "./store.ts";

const deps = await openTestDeps();
const usesOf = (...names: readonly string[]) =>
  names.map((name) => ({ name, userId: null, applicationId: null, count: 1, lastUsedAt: deps.clock() }));

it("two processes that add the same uses in different orders cause no deadlock", async () => {
  await addUses(deps, usesOf("a", "b", "c"));
  await whileUncommitted(
    deps,
    (within) => addUses(within, usesOf("b")),
    () => addUses(deps, usesOf("a", "b", "c")),
    () => addUses(deps, usesOf("c", "b", "a")),
  );
  const rows = await deps.db.deprecatedUse.findMany({ orderBy: { key: "asc" } });
  expect(rows.map(({ count }) => count)).toEqual([3, 4, 3]);
});
