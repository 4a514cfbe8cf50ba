import { expect, it } from "vitest";
import { openTestDeps } from "@/testing/deps.ts";
import { whileUncommitted } from "@/testing/transactions.ts";
import { addCounts } from "./store.ts";

const deps = await openTestDeps();
const hour = deps.clock();
const counts = (...applications: readonly string[]) =>
  applications.map((application) => ({ name: "token.issued" as const, application, hour, count: 1 }));

it("two processes that add the same counts in different orders cause no deadlock", async () => {
  await addCounts(deps, counts("a", "b", "c"));
  await whileUncommitted(
    deps,
    (within) => addCounts(within, counts("b")),
    () => addCounts(deps, counts("a", "b", "c")),
    () => addCounts(deps, counts("c", "b", "a")),
  );
  const rows = await deps.db.hourlyCount.findMany({ orderBy: { application: "asc" } });
  expect(rows.map(({ count }) => count)).toEqual([3, 4, 3]);
});
