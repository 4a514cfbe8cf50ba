import pg from "pg";
import { PRODUCT_VERSION } from "../config/product.ts";
import type { MigrationSession, Recorded } from "./migration-session.ts";
import { WITHOUT_TIME_LIMITS } from "./pooler.ts";

/** The key of the advisory lock of migrations. Prisma's engine uses the key 72707369. */
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
INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count", "logs")
VALUES (gen_random_uuid(), $1, $2, clock_timestamp(), 1, $3)`;

const RECORDED = `
SELECT "migration_name" AS name, "checksum", "finished_at" IS NOT NULL AS finished, "logs" AS version
FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`;

const TABLE_EXISTS = `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS exists`;

const READ_MS = 5_000;

/**
 * The maximum time for which a statement of a migration waits for a lock. Requests of running servers wait
 * behind the statement, and PostgreSQL looks for a deadlock after one second by default. The migration must
 * stop waiting earlier, so that PostgreSQL cancels no request.
 */
const LOCK_MS = 200;

/**
 * The difference between `deadlock_timeout` and the maximum time for which a statement waits behind an
 * autovacuum. PostgreSQL cancels an autovacuum that has blocked a statement for the duration of
 * `deadlock_timeout`.
 */
const CANCEL_MS = 500;

const WAIT_FOR_AUTOVACUUM = `
SELECT set_config('lock_timeout', (setting::int + ${CANCEL_MS})::text, true) FROM pg_settings
WHERE name = 'deadlock_timeout'`;

/**
 * The time after which a waiting migration looks up the process that blocks its statement. The time is
 * shorter than `LOCK_MS`, so the statement of the migration is still waiting for its lock.
 */
const LOOK_UP_MS = 100;

/**
 * The query for the process that blocks a migration. Among the processes that lock tables, only an autovacuum
 * worker has no user. PostgreSQL shows `backend_type` only to superusers and to members of
 * `pg_read_all_stats`.
 */
const BLOCKING = `
SELECT pid, application_name AS application, state, usesysid IS NULL AS "isAutovacuum" FROM pg_stat_activity
WHERE pid = ANY(pg_blocking_pids($1)) ORDER BY pid LIMIT 1`;

type BlockingRow = { pid: number; application: string | null; state: string | null; isAutovacuum: boolean };
type Blocker = Readonly<{ label: string; isAutovacuum: boolean }>;

/** Returns the migration records of a database, without waiting for locks. */
export async function recordedInPostgresql(url: string): Promise<readonly Recorded[]> {
  const client = await connect(url, { query_timeout: READ_MS });
  try {
    return await recorded(client);
  } finally {
    client.end().catch(() => undefined);
  }
}

/**
 * Opens a session that migrates the database at `url`.
 * @param signal a signal that ends the connection and its current statement.
 * @throws the driver's error when the server does not respond.
 */
export async function postgresqlSession(url: string, signal?: AbortSignal): Promise<MigrationSession> {
  const client = await connect(url);
  let pid = 0;
  let blocker: Blocker | null = null;
  const ignored = (): void => undefined;
  const end = (): void => void client.end().catch(ignored);
  signal?.addEventListener("abort", end, { once: true });
  return {
    recorded: () => recorded(client),
    begin: async () => {
      await client.query("BEGIN");
      await client.query(WITHOUT_TIME_LIMITS);
      // Behind a connection pooler, each transaction may run in another process of the database server.
      const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      pid = rows[0]?.pid ?? 0;
      await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
      await client.query(TABLE);
    },
    apply: async ({ name, sql, checksum }) => {
      // The wait for the advisory lock of another migration has no time limit, so the migration sets the time
      // limit for locks only after this wait.
      await client.query(blocker?.isAutovacuum ? WAIT_FOR_AUTOVACUUM : `SET LOCAL lock_timeout = ${LOCK_MS}`);
      let runs = true;
      const timer = setTimeout(() => {
        blockerOf(url, pid).then((process) => {
          if (runs) blocker = process;
        }, ignored);
      }, LOOK_UP_MS);
      await client.query(sql).finally(() => {
        runs = false;
        clearTimeout(timer);
      });
      await client.query(RECORD, [checksum, name, PRODUCT_VERSION]);
    },
    commit: async () => {
      await client.query("COMMIT");
      blocker = null;
    },
    rollback: async () => {
      await client.query("ROLLBACK");
    },
    // Between two attempts, the migration waits for the process that blocked the last attempt.
    blockedBy: async () => ((await blockerOf(url, pid)) ?? blocker)?.label ?? null,
    close: async () => {
      signal?.removeEventListener("abort", end);
      await client.end();
    },
  };
}

async function connect(url: string, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({
    ...options,
    connectionString: url,
    application_name: "gatehouse migration",
    connectionTimeoutMillis: READ_MS,
    keepAlive: true,
  });
  // When the connection breaks, the current statement fails. An unhandled `error` event would also end the
  // process.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function blockerOf(url: string, pid: number): Promise<Blocker | null> {
  const client = await connect(url, { query_timeout: READ_MS });
  try {
    const [row] = (await client.query<BlockingRow>(BLOCKING, [pid])).rows;
    if (row === undefined) return null;
    const { pid: id, application, state, isAutovacuum } = row;
    const name = isAutovacuum ? "autovacuum worker" : application || "no application name";
    return { label: `the PostgreSQL process ${id} (${name}, ${state ?? "unknown state"})`, isAutovacuum };
  } finally {
    await client.end();
  }
}

async function recorded(client: pg.Client): Promise<readonly Recorded[]> {
  const { rows } = await client.query<{ exists: boolean }>(TABLE_EXISTS);
  if (rows[0]?.exists !== true) return [];
  return (await client.query<Recorded>(RECORDED)).rows;
}
