import { pendingMigrations } from "@/kernel/db/migrate.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { diskSpaceOf, isDiskSpaceLow } from "@/kernel/disk/disk-space.ts";
import { storageWorks } from "@/kernel/disk/storage.ts";
import { processWide } from "@/kernel/process/process-wide.ts";
import { currentWorker } from "@/kernel/process/worker.ts";
import type { StartStage } from "./first-start.ts";
import { isStopping } from "./stop.ts";

const CHECK_TIMEOUT_MS = 2_000;

/**
 * The time for which all calls share one result. Anyone may call the probe, and on PostgreSQL each check needs a
 * connection.
 */
const MIGRATIONS_FRESH_MS = 5_000;

type CheckResult = "ok" | "failing";

export type Readiness = Readonly<{
  status: "ok" | "failing";
  /**
   * The check `workers` exists only in a server with several workers. The check fails until each worker has
   * started once.
   */
  checks: Readonly<Record<"database" | "migrations" | "storage" | "stopping", CheckResult>> &
    Readonly<{ workers?: CheckResult }>;
  /** Problems that may soon make the process fail, although the process can still receive requests. */
  warnings: readonly "disk_space"[];
}>;

const start = processWide<{ stage: StartStage | null; allWorkersStarted: boolean }>("start-stage", () => ({
  stage: null,
  allWorkersStarted: false,
}));

/** Records the current stage of the start of this process, for the probes. */
export function setStartStage(stage: StartStage): void {
  start().stage = stage;
}

/** Records that every worker of the server has started at least once. */
export function setAllWorkersStarted(): void {
  start().allWorkersStarted = true;
}

const workersCheck = (): Readonly<{ workers?: CheckResult }> =>
  currentWorker() === null ? {} : { workers: start().allWorkersStarted ? "ok" : "failing" };

/** Returns the readiness while this process waits for its database server or migrates the database. */
export const readinessAtStart = (): Readiness => ({
  status: "failing",
  checks: {
    database: start().stage === "migrations" ? "ok" : "failing",
    migrations: "failing",
    storage: "ok",
    stopping: isStopping() ? "failing" : "ok",
    ...workersCheck(),
  },
  warnings: [],
});

/**
 * Returns whether this process can receive requests, and the result of each check. The promise never rejects.
 * @param spaceOf returns the free space of the file system of a folder.
 */
export async function readiness(deps: Deps, spaceOf = diskSpaceOf): Promise<Readiness> {
  const [database, migrations, storage, lowDiskSpace] = await Promise.all([
    holds(() => deps.db.$queryRaw`SELECT 1`.then(() => true)),
    holds(() => nothingPending(deps)),
    holds(() => storageWorks(deps.config.dataDir, deps.clock())),
    // A disk that does not respond in time counts as a disk with enough space.
    holds(async () => isDiskSpaceLow(await spaceOf(deps.config.dataDir))),
  ]);
  const stopping = isStopping() ? "failing" : "ok";
  const checks = { database, migrations, storage, stopping, ...workersCheck() } as const;
  return {
    status: Object.values(checks).includes("failing") ? "failing" : "ok",
    checks,
    warnings: lowDiskSpace === "ok" ? ["disk_space"] : [],
  };
}

async function holds(check: () => Promise<boolean>): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return (await Promise.race([check(), late])) ? "ok" : "failing";
  } catch {
    return "failing";
  } finally {
    clearTimeout(timer);
  }
}

type Look = { at: number; answer: Promise<boolean> };
const looks = processWide("pending-migrations", () => new WeakMap<Deps, Look>());

function nothingPending(deps: Deps): Promise<boolean> {
  const now = deps.clock().getTime();
  const last = looks().get(deps);
  if (last !== undefined && now - last.at < MIGRATIONS_FRESH_MS) return last.answer;
  const answer = pendingMigrations(deps.config.database).then((names) => names.length === 0);
  looks().set(deps, { at: now, answer });
  return answer;
}
