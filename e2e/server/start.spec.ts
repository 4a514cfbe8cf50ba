import { join } from "node:path";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { freePort } from "../../scripts/program.mjs";
import { conformance } from "../../src/testing/conformance.ts";
import { expect, test } from "../fixtures.ts";
import { type Instance, startInstance } from "../instance.ts";
import { makeDatabase, stopDatabaseServer } from "../postgresql.ts";
import { startTcpProxy } from "../tcp-proxy.ts";

// Each test has separate instances and spends most of its time waiting.
test.describe.configure({ mode: "parallel" });

test.afterAll(stopDatabaseServer);

/** The key of the advisory lock that migrating processes acquire. */
const MIGRATION_LOCK = 4_283_690_157;

async function expectToWaitForMigrations({ baseUrl }: Instance): Promise<void> {
  for (const probe of ["health", "liveness"]) {
    const response = await fetch(`${baseUrl}/-/${probe}`);
    expect([response.status, await response.json()], probe).toEqual([200, { status: "ok" }]);
  }
  const readiness = await fetch(`${baseUrl}/-/readiness`);
  expect([readiness.status, await readiness.json()]).toEqual([
    503,
    {
      status: "failing",
      checks: { database: "ok", migrations: "failing", storage: "ok", disk_space: "ok", stopping: "ok" },
      warnings: [],
    },
  ]);
}

async function expectToStop(instance: Instance): Promise<void> {
  // The server would exit with status 1 if the stop took too long.
  expect(await instance.kill("SIGTERM")).toBe(0);
}

test(
  conformance(
    "SC-41",
    "while its migration waits for an SQLite lock, a server responds to probes, and ends on SIGTERM",
  ),
  async () => {
    const instance = await startInstance();
    await instance.kill("SIGTERM");
    const file = join(instance.dataDir, "gatehouse.db");
    const other = new Sqlite(file);
    // The last migration is marked as not applied, so that the start of the server waits for the lock of the
    // connection `other`.
    other.exec(
      `DELETE FROM "_prisma_migrations" WHERE "migration_name" = (SELECT max("migration_name") FROM "_prisma_migrations")`,
    );
    other.exec("BEGIN IMMEDIATE");
    const waiting = await startInstance({ env: { DATA_DIR: instance.dataDir }, until: "liveness" });
    await expect
      .poll(waiting.log)
      .toMatch(
        /^The migration \S+ waits for a lock that another process that writes to .*gatehouse\.db holds\.$/m,
      );
    await expectToWaitForMigrations(waiting);
    await expectToStop(waiting);
    other.close();
    await Promise.all([waiting.stop(), instance.stop()]);
  },
);

test(
  conformance(
    "SC-41",
    "while its migration waits for a PostgreSQL lock, a server responds to probes, and ends on SIGTERM",
  ),
  async () => {
    const database = await makeDatabase();
    const other = new pg.Client({ connectionString: database.url, application_name: "other" });
    await other.connect();
    await other.query("BEGIN");
    await other.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    const env = { DATABASE_URL: database.url, GATEHOUSE_SECRET: "x".repeat(32) };
    const instance = await startInstance({ env, until: "liveness" });
    await expect
      .poll(instance.log)
      .toMatch(
        /^The migration \S+ waits for a lock that the PostgreSQL process \d+ \(other, idle in transaction\) holds\.$/m,
      );
    await expectToWaitForMigrations(instance);
    await expectToStop(instance);
    await instance.restart();
    await other.end();
    await expect.poll(async () => (await fetch(`${instance.baseUrl}/-/readiness`)).status).toBe(200);
    await instance.stop();
    await database.drop();
  },
);

test(
  conformance("SC-44", "if a server starts earlier than PostgreSQL, the server prints a message and waits"),
  async () => {
    const database = await makeDatabase();
    const url = new URL(database.url);
    const port = await freePort();
    const DATABASE_URL = database.url.replace(url.host, `127.0.0.1:${port}`);
    const started = startInstance({
      env: { DATABASE_URL, GATEHOUSE_SECRET: "x".repeat(32) },
      until: "liveness",
    });
    const instance = await started;
    const readiness = async () => (await fetch(`${instance.baseUrl}/-/readiness`)).json();
    expect(await readiness()).toMatchObject({ checks: { database: "failing" } });
    // The server prints the message immediately, and repeats it every five seconds.
    const reports = () =>
      instance
        .log()
        .match(/^PostgreSQL at 127\.0\.0\.1:\d+, database \w+ does not respond \(.*ECONNREFUSED.*$/gm) ?? [];
    await expect.poll(() => reports().length).toBeGreaterThanOrEqual(2);
    const proxy = await startTcpProxy(url, port);
    await expect.poll(readiness).toMatchObject({ checks: { database: "ok", migrations: "ok" } });
    expect(instance.log()).not.toContain("    at ");
    await instance.stop();
    proxy.close();
    await database.drop();
  },
);
