import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { DatabaseConfig } from "../config/config.ts";
import { PRODUCT_VERSION } from "../config/product.ts";
import { recordedInSqlite, sqliteSession } from "./migrate-sqlite.ts";
import { type Migration, readMigrations } from "./migration-files.ts";
import type { MigrationSession, Recorded } from "./migration-session.ts";
import { reportWhileWaiting, type Waiting } from "./waiting.ts";

export type MigrateOptions = Readonly<{
  /** The folder of the migrations; by default `prisma/<provider>/migrations` in the working directory. */
  folder?: string;
  /** The name of the last migration to apply; by default, all migrations are applied. */
  upTo?: string | undefined;
}> &
  Waiting;

/**
 * Applies all pending migrations, each in a separate transaction. Any number of processes may call the
 * function simultaneously, while other processes use the database: each migration is applied by only one
 * process.
 * @returns the names of the migrations that this call applied, oldest first.
 * @throws an Error that names the migration, if a migration failed or was changed after it was applied, or if
 * the requested last migration does not exist. Also throws an Error if a newer version of Gatehouse has
 * migrated the database.
 */
export async function migrate(
  config: DatabaseConfig,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const migrations = migrationsOf(config, options);
  const session = await openSession(config, options.signal);
  try {
    const applied: string[] = [];
    const recorded = await session.recorded();
    refuseNewerDatabase(readMigrations(folderOf(config, options)), recorded);
    for (const migration of pendingOf(migrations, recorded)) {
      options.signal?.throwIfAborted();
      const done = reportWhileWaiting(applyOnce(session, migration, options.signal), options, async () => {
        const other = await session.blockedBy();
        return other && `The migration ${migration.name} waits for a lock that ${other} holds.`;
      });
      if (await done) applied.push(migration.name);
    }
    return applied;
  } finally {
    // If the connection is broken, there is no transaction to roll back.
    await session.close().catch(() => undefined);
  }
}

/**
 * Returns the names of the pending migrations, oldest first. The function does not change the database.
 * @throws the same errors as `migrate`.
 */
export async function pendingMigrations(
  config: DatabaseConfig,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const pending = pendingOf(migrationsOf(config, options), await recordedIn(config));
  return pending.map((migration) => migration.name);
}

/**
 * Returns whether Gatehouse has migrated the database at least once. The function does not change the database, and does
 * not create a missing SQLite file.
 */
export const isMigrated = async (config: DatabaseConfig): Promise<boolean> =>
  (await recordedIn(config)).length > 0;

const folderOf = (config: DatabaseConfig, { folder }: MigrateOptions): string =>
  folder ?? resolve("prisma", config.provider, "migrations");

/**
 * Refuses a database with migrations that this version does not contain. The function is called only when a
 * process starts. A running process of the previous version must continue to work during an upgrade.
 */
function refuseNewerDatabase(own: readonly Migration[], recorded: readonly Recorded[]): void {
  const names = new Set(own.map(({ name }) => name));
  const newest = recorded
    .filter(({ name }) => !names.has(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .at(-1);
  if (newest === undefined) return;
  const newer = newest.version === null ? "a newer version" : `version ${newest.version}`;
  throw new Error(
    `This is Gatehouse ${PRODUCT_VERSION}, but ${newer} has migrated this database (${newest.name}). Start ${newest.version === null ? "the newer version" : `version ${newest.version} or a later version`}, or restore a backup of version ${PRODUCT_VERSION} or an earlier version into a new DATA_DIR and database.`,
  );
}

function migrationsOf(config: DatabaseConfig, options: MigrateOptions): readonly Migration[] {
  const { upTo } = options;
  const all = readMigrations(folderOf(config, options));
  if (upTo === undefined) return all;
  const last = all.findIndex(({ name }) => name === upTo);
  if (last === -1)
    throw new Error(`This version of Gatehouse does not contain the migration ${upTo}. Use a newer version.`);
  return all.slice(0, last + 1);
}

async function openSession(config: DatabaseConfig, signal?: AbortSignal): Promise<MigrationSession> {
  if (config.provider === "sqlite") return sqliteSession(config.file, signal);
  const { postgresqlSession } = await import("./migrate-postgresql.ts");
  return postgresqlSession(config.url, signal);
}

async function recordedIn(config: DatabaseConfig): Promise<readonly Recorded[]> {
  if (config.provider === "sqlite") return recordedInSqlite(config.file);
  const { recordedInPostgresql } = await import("./migrate-postgresql.ts");
  return recordedInPostgresql(config.url);
}

/** The SQLSTATE codes of PostgreSQL for a lock timeout and for a deadlock. */
const YIELDS: readonly unknown[] = ["55P03", "40P01"];

/**
 * The longest pause between two attempts to apply a migration. The pause is shorter than the interval at
 * which a wait is reported.
 */
const PAUSE_MS_MAX = 1_000;

/**
 * Applies a migration like `tryToApply`, and tries again if the migration did not acquire a lock. Servers of
 * the previous version continue to write during a migration, and lock the tables in another order. The
 * migration stops waiting and tries again later, so that requests to servers of the previous version do not
 * fail. The number of attempts has no limit, because a long transaction, such as a backup, may hold the lock.
 * Only the operator stops the wait.
 */
async function applyOnce(
  session: MigrationSession,
  migration: Migration,
  signal?: AbortSignal,
): Promise<boolean> {
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX))
    try {
      return await tryToApply(session, migration);
    } catch (error) {
      if (!isYield(error)) throw error;
      await setTimeout(pauseMs, undefined, { signal });
    }
}

const isYield = (error: unknown): boolean =>
  error instanceof Error && YIELDS.includes((error.cause as { code?: unknown } | undefined)?.code);

/**
 * Returns true when this process applied the migration, and false when another process applied the migration
 * while this process waited for the lock.
 */
async function tryToApply(session: MigrationSession, migration: Migration): Promise<boolean> {
  await session.begin();
  try {
    const isPending = pendingOf([migration], await session.recorded()).length > 0;
    if (isPending) await session.apply(migration);
    await session.commit();
    return isPending;
  } catch (error) {
    // If the connection is broken, the server has already rolled the transaction back. The function reports
    // the error of the migration, not the error of the rollback.
    await session.rollback().catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The migration ${migration.name} could not be applied: ${reason}`, { cause: error });
  }
}

/**
 * Returns the migrations that have no record in the database.
 * @throws an Error when a record shows a failed or changed migration.
 */
function pendingOf(migrations: readonly Migration[], recorded: readonly Recorded[]): readonly Migration[] {
  const records = new Map(recorded.map((record) => [record.name, record]));
  return migrations.filter(({ name, checksum }) => {
    const record = records.get(name);
    if (record === undefined) return true;
    if (!record.finished)
      throw new Error(
        `The migration ${name} failed earlier and is incomplete. Restore a backup from before the migration.`,
      );
    if (record.checksum !== checksum) {
      throw new Error(
        `The migration ${name} was changed after it was applied to this database. Run an unchanged release of Gatehouse.`,
      );
    }
    return false;
  });
}
