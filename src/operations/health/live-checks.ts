import { existsSync } from "node:fs";
import { pendingMigrations } from "@/kernel/db/migrate";
import type { Deps } from "@/kernel/deps/deps";
import { dataFolders, diskSpaceOf, isDiskSpaceExhausted, isDiskSpaceLow } from "@/kernel/disk/disk-space";
import { storageWorks } from "@/kernel/disk/storage";
import { fileStorageOf } from "@/kernel/objects/file-storage";
import { inTime } from "@/kernel/process/in-time";
import { processWide } from "@/kernel/process/process-wide";

/**
 * The time limit of a check. A check without a result after this time fails, so that all checks respond
 * within a second.
 */
export const CHECK_TIMEOUT_MS = 800;

/**
 * The time for which the result of the migration check is cached and shared by all calls. Anyone may call the
 * readiness probe, and each check on PostgreSQL needs a connection. Therefore, the number of checks must not
 * depend on the number of calls.
 */
const MIGRATIONS_FRESH_MS = 1_000;

export type CheckResult = "ok" | "failing";

/** The results of the checks that the readiness probe and the overview for administrators show. */
export type LiveChecks = Readonly<{
  checks: Readonly<Record<"database" | "migrations" | "storage" | "disk_space", CheckResult>>;
  /** Problems that may soon cause a failure, although the process can still serve requests. */
  warnings: readonly ("disk_space" | "object_storage")[];
}>;

/**
 * Checks the database, the migrations, the storage and the free space of the disks, within a second. The promise never
 * rejects.
 * @param spaceOf returns the free space of the file system of a folder.
 * @param timeoutMs the time limit of each check in milliseconds.
 */
export async function runLiveChecks(
  deps: Deps,
  spaceOf = diskSpaceOf,
  timeoutMs = CHECK_TIMEOUT_MS,
): Promise<LiveChecks> {
  const holds = async (check: () => Promise<boolean>): Promise<CheckResult> =>
    (await inTime(timeoutMs, check)) === true ? "ok" : "failing";
  const { config, db, clock } = deps;
  const [database, migrations, storage, objects, ...disks] = await Promise.all([
    holds(async () => databaseExists(deps) && (await db.$queryRaw`SELECT 1`.then(() => true))),
    holds(() => nothingPending(deps)),
    holds(() => storageWorks(config.dataDir, clock())),
    // If the object storage is not available, the process stays ready, because requests that need no package
    // file still work.
    holds(() => objectStorageWorks(deps, timeoutMs)),
    // If a disk does not respond in time, its free space counts as sufficient.
    ...dataFolders(config).map(({ folder }) => inTime(timeoutMs, () => spaceOf(folder))),
  ]);
  const knownDisks = disks.filter((disk) => disk !== null);
  return {
    checks: {
      database,
      migrations,
      storage,
      disk_space: knownDisks.some(isDiskSpaceExhausted) ? "failing" : "ok",
    },
    warnings: [
      ...(knownDisks.some(isDiskSpaceLow) ? ["disk_space" as const] : []),
      ...(objects === "failing" ? ["object_storage" as const] : []),
    ],
  };
}

/**
 * Returns whether the SQLite file exists. If the file is deleted while it is open, the process can still read
 * it, but all changes are lost when the process ends.
 */
const databaseExists = ({ config: { database } }: Pick<Deps, "config">): boolean =>
  database.provider !== "sqlite" || existsSync(database.file);

type Look = { at: number; answer: Promise<boolean> };

/** The time for which the result of the object storage check is cached and shared by all calls. */
const OBJECT_STORAGE_FRESH_MS = 5_000;
const objectLooks = processWide("object-storage-checks", () => new WeakMap<Deps, Look>());

function objectStorageWorks(deps: Deps, timeoutMs: number): Promise<boolean> {
  if (deps.config.files.kind === "folder") return Promise.resolve(true);
  const now = deps.clock().getTime();
  const last = objectLooks().get(deps);
  if (last !== undefined && Math.abs(now - last.at) < OBJECT_STORAGE_FRESH_MS) return last.answer;
  const answer = fileStorageOf(deps.config)
    .check(timeoutMs)
    .then(
      () => true,
      () => false,
    );
  objectLooks().set(deps, { at: now, answer });
  return answer;
}

const looks = processWide("pending-migrations", () => new WeakMap<Deps, Look>());

function nothingPending(deps: Deps): Promise<boolean> {
  const now = deps.clock().getTime();
  const last = looks().get(deps);
  if (last !== undefined && now - last.at < MIGRATIONS_FRESH_MS) return last.answer;
  const answer = pendingMigrations(deps.config.database).then((names) => names.length === 0);
  looks().set(deps, { at: now, answer });
  return answer;
}
