import { expect, it } from "vitest";
import { CHECK_TIMEOUT_MS } from "@/operations/health/live-checks.ts";
import { readiness as readinessWithin } from "@/operations/health/readiness.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { readinessResponse } from "./probes.ts";

const deps = await openTestDeps();

/** Returns a function that reports a disk of 1 TB with this free space. */
const diskWith = (freeBytes: number) => async () => ({ freeBytes, totalBytes: 1_000_000_000_000 });
const enough = diskWith(900_000_000_000);

/** Returns the result of the readiness probe with a time limit that no check reaches on a busy machine. */
const readiness = (tested: typeof deps, spaceOf?: Parameters<typeof readinessWithin>[1]) =>
  readinessWithin(tested, spaceOf, 60_000);

it(
  conformance("SC-09", "the readiness probe of a nearly full disk returns 200 with the status warning"),
  async () => {
    const response = readinessResponse(await readiness(deps, diskWith(70_000_000)));
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { status: "warning", checks: { disk_space: "ok" }, warnings: ["disk_space"] },
    ]);
  },
);

it(
  conformance("SC-09", "the readiness probe of a disk with less than 64 MiB of free space returns 503"),
  async () => {
    const response = readinessResponse(await readiness(deps, diskWith(67_000_000)));
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { status: "failing", checks: { disk_space: "failing", storage: "ok" }, warnings: ["disk_space"] },
    ]);
    const later = readinessResponse(await readiness(deps, enough));
    expect([later.status, await later.json()]).toMatchObject([200, { status: "ok", warnings: [] }]);
  },
);

it(
  conformance("SC-09", "the readiness probe responds within a second while the disk does not respond"),
  async () => {
    const never = () => new Promise<never>(() => undefined);
    const { checks } = await readinessWithin(deps, never);
    expect(checks).toMatchObject({ disk_space: "ok" });
    expect(CHECK_TIMEOUT_MS).toBeLessThan(1_000);
  },
);

it(
  conformance("SC-09", "the readiness probe responds within a second while the database is unavailable"),
  async () => {
    const never = new Promise<never>(() => undefined);
    const db = { ...deps.db, $queryRaw: () => never } as unknown as typeof deps.db;
    expect(await readinessWithin({ ...deps, db }, enough)).toMatchObject({
      status: "failing",
      checks: { database: "failing" },
    });
    expect(CHECK_TIMEOUT_MS).toBeLessThan(1_000);
  },
);

it(conformance("SC-09", "the readiness probe fails while a migration is pending"), async () => {
  expect(await readiness(deps, enough)).toMatchObject({ status: "ok", checks: { migrations: "ok" } });
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
