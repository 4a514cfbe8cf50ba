import { existsSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { PRODUCT_VERSION } from "../config/product.ts";
import { retryWhileBusy } from "./busy.ts";
import type { MigrationSession, Recorded } from "./migration-session.ts";
import { createSqliteFile } from "./sqlite-file.ts";

/**
 * The wait for a lock has no time limit: another process may be migrating a large amount of data, so only the
 * operator stops the wait.
 */
const PATIENCE_MS = Number.POSITIVE_INFINITY;

const TABLE = `
CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           DATETIME,
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        DATETIME,
    "started_at"            DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   INTEGER UNSIGNED NOT NULL DEFAULT 0
)`;

/** The time of a migration comes from the clock of the database, in milliseconds, as in Prisma's engine. */
const RECORD = `
INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count", "logs")
VALUES (lower(hex(randomblob(16))), ?, ?, unixepoch() * 1000, unixepoch() * 1000, 1, ?)`;

const RECORDED = `
SELECT "migration_name" AS name, "checksum", "finished_at" IS NOT NULL AS finished, "logs" AS version
FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`;

const TABLE_EXISTS = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_prisma_migrations'`;

/** Returns the migration records of a file, without creating a file that does not exist. */
export async function recordedInSqlite(file: string): Promise<readonly Recorded[]> {
  if (!existsSync(file)) return [];
  const connection = new Sqlite(file, { readonly: true, timeout: 0 });
  try {
    return await retryWhileBusy(() => recorded(connection));
  } finally {
    connection.close();
  }
}

/**
 * Opens a session that migrates `file`. A file that does not exist is created.
 * @param signal a signal that ends the wait.
 */
export async function sqliteSession(file: string, signal?: AbortSignal): Promise<MigrationSession> {
  createSqliteFile(file);
  const connection = new Sqlite(file, { timeout: 0 });
  let isWaiting = false;
  const whenUnlocked = async <Result>(attempt: () => Result): Promise<Result> => {
    isWaiting = true;
    try {
      return await retryWhileBusy(attempt, { patienceMs: PATIENCE_MS, signal });
    } finally {
      isWaiting = false;
    }
  };
  await whenUnlocked(() => connection.pragma("journal_mode = WAL"));
  connection.pragma("synchronous = FULL");
  // With `foreign_keys = ON`, a migration that rebuilds a table would delete the rows that refer to the
  // table. The pragma `foreign_keys` has an effect only outside a transaction.
  connection.pragma("foreign_keys = OFF");
  return {
    recorded: () => whenUnlocked(() => recorded(connection)),
    begin: () =>
      whenUnlocked(() => {
        connection.exec("BEGIN IMMEDIATE");
        connection.exec(TABLE);
      }),
    apply: async ({ name, sql, checksum }) => {
      connection.exec(sql);
      const broken = connection.pragma("foreign_key_check");
      if (Array.isArray(broken) && broken.length > 0) {
        throw new Error(`${broken.length} rows would refer to missing rows`);
      }
      connection.prepare(RECORD).run(checksum, name, PRODUCT_VERSION);
    },
    commit: async () => {
      connection.exec("COMMIT");
    },
    rollback: async () => {
      if (connection.inTransaction) connection.exec("ROLLBACK");
    },
    blockedBy: async () => (isWaiting ? `another process that writes to ${file}` : null),
    close: async () => {
      connection.close();
    },
  };
}

function recorded(connection: Sqlite.Database): readonly Recorded[] {
  if (connection.prepare(TABLE_EXISTS).get() === undefined) return [];
  const rows = connection.prepare<[], Omit<Recorded, "finished"> & { finished: number }>(RECORDED).all();
  return rows.map((row) => ({ ...row, finished: row.finished === 1 }));
}
