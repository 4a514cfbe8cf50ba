import pg from "pg";
import type { MigrationSession, Recorded } from "./migration-session.ts";

/** Names the lock of migrating processes. Prisma's engine takes 72707369. */
const LOCK = 4_283_690_157;

const TABLE = `
CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum"              VARCHAR(64) NOT NULL,
    "finished_at"           TIMESTAMPTZ,
    "migration_name"        VARCHAR(255) NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        TIMESTAMPTZ,
    "started_at"            TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count"   INTEGER NOT NULL DEFAULT 0
)`;

const RECORD = `
INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count")
VALUES (gen_random_uuid(), $1, $2, clock_timestamp(), 1)`;

const RECORDED = `
SELECT "migration_name" AS name, "checksum", "finished_at" IS NOT NULL AS finished
FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`;

const TABLE_EXISTS = `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS exists`;

/** A session that migrates the database at `url`. Raises the driver's error when the server does not answer. */
export async function postgresqlSession(url: string): Promise<MigrationSession> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that breaks fails the statement that is under way; the event alone would end the process.
  client.on("error", () => undefined);
  await client.connect();
  return {
    recorded: () => recorded(client),
    begin: async () => {
      await client.query("BEGIN");
      await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
      await client.query(TABLE);
    },
    apply: async ({ name, sql, checksum }) => {
      await client.query(sql);
      await client.query(RECORD, [checksum, name]);
    },
    commit: async () => {
      await client.query("COMMIT");
    },
    rollback: async () => {
      await client.query("ROLLBACK");
    },
    close: () => client.end(),
  };
}

async function recorded(client: pg.Client): Promise<readonly Recorded[]> {
  const { rows } = await client.query<{ exists: boolean }>(TABLE_EXISTS);
  if (rows[0]?.exists !== true) return [];
  return (await client.query<Recorded>(RECORDED)).rows;
}
