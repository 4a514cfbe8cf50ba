import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { readiness } from "./readiness.ts";

const deps = await openTestDeps();

it(
  conformance("SC-09", "the readiness probe warns about a file system without free space, and does not fail"),
  async () => {
    const full = { freeBytes: 0, totalBytes: 1_000_000_000_000 };
    expect(await readiness(deps, async () => full)).toMatchObject({ status: "ok", warnings: ["disk_space"] });
  },
);

it(conformance(
  "SC-09",
  "the readiness probe responds within a second while the database is unavailable",
), async () => {
  const never = new Promise<never>(() => undefined);
  const db = { ...deps.db, $queryRaw: () => never } as unknown as typeof deps.db;
  expect(await readiness({ ...deps, db })).toMatchObject({
    status: "failing",
    checks: { database: "failing" },
  });
}, 1_500);

it(conformance("SC-09", "the readiness probe fails while a migration is pending"), async () => {
  expect(await readiness(deps)).toMatchObject({ status: "ok", checks: { migrations: "ok" } });
  const [last] = await deps.db.$queryRaw<{ migration_name: string }[]>`
    SELECT "migration_name" FROM "_prisma_migrations" ORDER BY "migration_name" DESC LIMIT 1`;
  await deps.db.$executeRaw`
    UPDATE "_prisma_migrations" SET "migration_name" = 'hidden' WHERE "migration_name" = ${last?.migration_name}`;
  deps.advance(1);
  expect(await readiness(deps)).toMatchObject({ status: "failing", checks: { migrations: "failing" } });
  await deps.db.$executeRaw`
    UPDATE "_prisma_migrations" SET "migration_name" = ${last?.migration_name} WHERE "migration_name" = 'hidden'`;
  deps.advance(1);
});

it(conformance("SC-09", "the readiness probe does not warn when the free space is unknown"), async () => {
  const unknown = () => Promise.reject(new Error("ENOENT: no such file or directory, statfs"));
  expect(await readiness(deps, unknown)).toMatchObject({ status: "ok", warnings: [] });
});
