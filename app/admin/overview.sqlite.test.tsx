import { renameSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";
import { setStopping } from "@/kernel/process/stopping.ts";
import { becomeWorker } from "@/kernel/process/worker.ts";
import type * as liveChecks from "@/operations/health/live-checks.ts";
import { readiness, setAllWorkersStarted } from "@/operations/health/readiness.ts";
import { signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import AdminPage from "./page.tsx";

const ENOUGH = 900_000_000_000;
const simulated = vi.hoisted(() => ({ headers: new Headers(), freeBytes: 0 }));
vi.mock("next/headers", () => ({
  headers: async () => simulated.headers,
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));
/** The checks see a disk of 1 TB, and have a time limit that no check reaches on a busy machine. */
vi.mock("@/operations/health/live-checks.ts", async (importOriginal) => {
  const original = await importOriginal<typeof liveChecks>();
  const spaceOf = async () => ({ freeBytes: simulated.freeBytes, totalBytes: 1_000_000_000_000 });
  const runLiveChecks: typeof liveChecks.runLiveChecks = (deps) =>
    original.runLiveChecks(deps, spaceOf, 60_000);
  return { ...original, runLiveChecks };
});

const deps = await openTestDeps();
const { database } = deps.config;
if (database.provider !== "sqlite") throw new Error("The tests move the SQLite file.");
const administrator = await signedInUser(deps, "boss");
await deps.db.user.update({ where: { id: administrator.user.id }, data: { admin: true } });
simulated.headers = new Headers({ cookie: administrator.cookie });
simulated.freeBytes = ENOUGH;

/** Returns the names and texts of the failed checks on the overview page. */
async function shownChecks(): Promise<Readonly<Record<string, string>>> {
  const html = renderToStaticMarkup(await AdminPage({ searchParams: Promise.resolve({}) }));
  const notices = html.matchAll(/readiness check <code>(\w+)<\/code> fails:<\/strong> ([^<]+)/gi);
  return Object.fromEntries([...notices].map(([, name, text]) => [name, text]));
}

/** Returns the names of the failed checks in the response of the readiness probe. */
async function failedChecks(): Promise<readonly string[]> {
  const { checks } = await readiness(deps);
  return Object.entries(checks)
    .filter(([, result]) => result === "failing")
    .map(([name]) => name);
}

async function renameMigration(from: string, to: string): Promise<void> {
  await deps.db.$executeRaw`
    UPDATE "_prisma_migrations" SET "migration_name" = ${to} WHERE "migration_name" = ${from}`;
  // The result of the check is cached for a second.
  deps.advance(1);
}

async function newestMigration(): Promise<string> {
  const [last] = await deps.db.$queryRaw<{ migration_name: string }[]>`
    SELECT "migration_name" FROM "_prisma_migrations" ORDER BY "migration_name" DESC LIMIT 1`;
  if (last === undefined) throw new Error("No migration is applied.");
  return last.migration_name;
}

afterEach(async () => {
  simulated.freeBytes = ENOUGH;
  deps.advance(1);
});

it("the overview shows no failed check while the server is ready", async () => {
  expect([await shownChecks(), await failedChecks()]).toEqual([{}, []]);
});

it(conformance("SC-09", "the overview shows the failed check of a disk that is nearly full"), async () => {
  simulated.freeBytes = 67_000_000;
  expect(await failedChecks()).toEqual(["disk_space"]);
  expect(await shownChecks()).toEqual({ disk_space: expect.stringContaining("the disk is nearly full") });
});

it("the overview shows the failed check of a pending migration", async () => {
  const name = await newestMigration();
  await renameMigration(name, "hidden");
  expect(await failedChecks()).toEqual(["migrations"]);
  expect(await shownChecks()).toEqual({ migrations: expect.stringContaining("migrations are pending") });
  await renameMigration("hidden", name);
});

it("the overview shows the failed check of a deleted SQLite file", async () => {
  renameSync(database.file, `${database.file}.moved`);
  try {
    expect(await failedChecks()).toContain("database");
    expect(await shownChecks()).toMatchObject({ database: expect.stringContaining("was deleted") });
  } finally {
    renameSync(`${database.file}.moved`, database.file);
  }
});

it("the overview shows the failed check of the workers until each worker has started", async () => {
  becomeWorker({ number: 1, count: 2 });
  expect(await failedChecks()).toEqual(["workers"]);
  expect(await shownChecks()).toEqual({ workers: expect.stringContaining("not every worker") });
  setAllWorkersStarted();
  expect([await shownChecks(), await failedChecks()]).toEqual([{}, []]);
});

it("the overview shows that the server is stopping", async () => {
  // A process that has begun to stop never becomes ready again, so this test is the last one.
  setStopping();
  expect(await failedChecks()).toEqual(["stopping"]);
  expect(await shownChecks()).toEqual({ stopping: expect.stringContaining("stop signal") });
});
