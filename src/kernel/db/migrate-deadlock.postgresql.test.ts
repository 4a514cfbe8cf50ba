import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import pg from "pg";
import { expect, it } from "vitest";
import { openTestDatabase } from "@/testing/database.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { migrate } from "./migrate.ts";

const LATER = "29991231000000_later";

it("if a migration waits for a lock that a running server holds, migrate stops and repeats the migration before PostgreSQL looks for a deadlock", async () => {
  const { config } = await openTestDatabase();
  if (config.provider !== "postgresql") throw new Error("This test requires PostgreSQL.");
  const folder = temporaryFolder();
  cpSync(resolve("prisma/postgresql/migrations"), folder, { recursive: true });
  mkdirSync(join(folder, LATER));
  const sql =
    'ALTER TABLE "User" ADD COLUMN "later" INTEGER; ALTER TABLE "Setting" ADD COLUMN "later" INTEGER;';
  writeFileSync(join(folder, LATER, "migration.sql"), sql);
  const server = new pg.Client({ connectionString: config.url });
  await server.connect();
  const databaseName = new URL(config.url).pathname.slice(1);
  // With these values of `deadlock_timeout`, the session of the server would detect a deadlock first, and PostgreSQL
  // would cancel the request of the server.
  await server.query(`ALTER DATABASE "${databaseName}" SET deadlock_timeout = '60s'`);
  await server.query(`SET deadlock_timeout = '900ms'; BEGIN; LOCK TABLE "Setting" IN ROW EXCLUSIVE MODE`);
  const migrated = migrate(config, { folder });
  const waits = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'gatehouse migration' AND wait_event_type = 'Lock' AND datname = current_database()`;
  const observer = new pg.Client({ connectionString: config.url });
  await observer.connect();
  await expect.poll(async () => (await observer.query(waits)).rowCount).toBe(1);
  await server.query('LOCK TABLE "User" IN ROW EXCLUSIVE MODE; COMMIT');
  expect(await migrated).toEqual([LATER]);
  await Promise.all([server.end(), observer.end()]);
});
