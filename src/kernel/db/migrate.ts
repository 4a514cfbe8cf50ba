import { resolve } from "node:path";
import type { DatabaseConfig } from "../config/config.ts";
import { recordedInSqlite, sqliteSession } from "./migrate-sqlite.ts";
import { type Migration, readMigrations } from "./migration-files.ts";
import type { MigrationSession, Recorded } from "./migration-session.ts";
import { reportWhileWaiting, type Waiting } from "./waiting.ts";

export type MigrateOptions = Readonly<{
  /** Where the migrations are; `prisma/<provider>/migrations` below the working directory unless told. */
  folder?: string;
  /** The name of the last one to apply; all of them unless told. */
  upTo?: string | undefined;
}> &
  Waiting;

/**
 * Brings the database to the newest migration, each in a transaction of its own. Any number of processes may do
 * this at once, beside others that are at work on the database: each migration is applied by one of them.
 * @returns the names of those that this call applied, oldest first.
 * @throws an Error that says which migration was changed after it was applied, or failed and why, or that there is none
 * to stop at.
 */
export async function migrate(
  config: DatabaseConfig,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const migrations = migrationsOf(config, options);
  const session = await openSession(config, options.signal);
  try {
    const applied: string[] = [];
    for (const migration of pendingOf(migrations, await session.recorded())) {
      options.signal?.throwIfAborted();
      const done = reportWhileWaiting(applyOnce(session, migration), options, async () => {
        const other = await session.blockedBy();
        return other && `The migration ${migration.name} waits for a lock that ${other} holds.`;
      });
      if (await done) applied.push(migration.name);
    }
    return applied;
  } finally {
    // On a connection that has broken there is nothing left to close.
    await session.close().catch(() => undefined);
  }
}

/**
 * The names of the migrations that this database lacks, oldest first. Changes nothing.
 * @throws as `migrate` does.
 */
export async function pendingMigrations(
  config: DatabaseConfig,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const pending = pendingOf(migrationsOf(config, options), await recordedIn(config));
  return pending.map((migration) => migration.name);
}

function migrationsOf(config: DatabaseConfig, { folder, upTo }: MigrateOptions): readonly Migration[] {
  const all = readMigrations(folder ?? resolve("prisma", config.provider, "migrations"));
  if (upTo === undefined) return all;
  const last = all.findIndex(({ name }) => name === upTo);
  if (last === -1) throw new Error(`This version does not know the migration ${upTo}: a newer one does.`);
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

/** True when this process applied it, false when another one did while this one waited for the lock. */
async function applyOnce(session: MigrationSession, migration: Migration): Promise<boolean> {
  await session.begin();
  try {
    const isPending = pendingOf([migration], await session.recorded()).length > 0;
    if (isPending) await session.apply(migration);
    await session.commit();
    return isPending;
  } catch (error) {
    // On a connection that has broken there is nothing left to roll back, and the first error is the one to tell.
    await session.rollback().catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The migration ${migration.name} could not be applied: ${reason}`, { cause: error });
  }
}

/** Those of `migrations` that are not recorded. Raises an Error where a record says that something went wrong. */
function pendingOf(migrations: readonly Migration[], recorded: readonly Recorded[]): readonly Migration[] {
  const records = new Map(recorded.map((record) => [record.name, record]));
  return migrations.filter(({ name, checksum }) => {
    const record = records.get(name);
    if (record === undefined) return true;
    if (!record.finished) throw new Error(`The migration ${name} failed earlier and was left unfinished.`);
    if (record.checksum !== checksum) {
      throw new Error(`The migration ${name} was changed after it was applied to this database.`);
    }
    return false;
  });
}
