import pg from "pg";
import { afterEach, expect, it, vi } from "vitest";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();

afterEach(() => vi.restoreAllMocks());

/** Counts the queries that each client of `pg` receives before its previous query has ended. */
function observeOverlaps(): { queries: number; overlaps: number } {
  const counts = { queries: 0, overlaps: 0 };
  const active = new Map<unknown, number>();
  const query: (...args: unknown[]) => unknown = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    counts.queries += 1;
    const running = active.get(this) ?? 0;
    if (running > 0) counts.overlaps += 1;
    active.set(this, running + 1);
    const end = () => active.set(this, (active.get(this) ?? 1) - 1);
    const result = query.apply(this, args);
    void Promise.resolve(result).then(end, end);
    return result;
  } as never);
  return counts;
}

it("a transaction sends one query at a time when Prisma loads several relations", async () => {
  await apiUser(deps, "ann");
  const counts = observeOverlaps();
  await deps.transaction(async ({ db }) => {
    const [users] = await Promise.all([
      db.user.findMany({ include: { sessions: true, codes: true } }),
      db.project.count(),
    ]);
    expect(users).toHaveLength(1);
  });
  expect(counts.queries).toBeGreaterThan(3);
  expect(counts.overlaps).toBe(0);
});

it("a transaction sends further queries after a failed query", async () => {
  const sent = deps.transaction(async ({ db }) => {
    await expect(db.$queryRawUnsafe("SELECT 1/0")).rejects.toThrow(/division by zero/);
    await db.$queryRawUnsafe("SELECT 1");
  });
  // In a transaction, PostgreSQL refuses all queries after a failed query. The refusal shows that the query
  // after the failed query reached PostgreSQL.
  await expect(sent).rejects.toThrow(/current transaction is aborted/);
});
