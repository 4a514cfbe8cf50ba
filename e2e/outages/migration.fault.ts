import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { migrate } from "../../src/kernel/db/migrate.ts";
import { temporaryFolder } from "../../src/testing/folder.ts";
import { releaseAll } from "../../src/testing/release.ts";
import { startDatabaseServer } from "./database-server.ts";
import { milliseconds, record } from "./record.ts";

const LATER = "29991231000000_later";

/**
 * A PostgreSQL role without superuser rights, as an operator would create. PostgreSQL hides the details of
 * the processes of other roles from this role.
 */
const ROLE = `CREATE ROLE "gatehouse_app" LOGIN; GRANT CREATE ON SCHEMA public TO "gatehouse_app"`;

/**
 * A table whose autovacuum takes several minutes, because autovacuum processes one page of the table in 100
 * ms.
 */
const SLOWLY_VACUUMED = `
SET ROLE "gatehouse_app";
CREATE TABLE "Large" ("id" INTEGER, "text" TEXT);
INSERT INTO "Large" SELECT i, repeat('x', 3000) FROM generate_series(1, 20000) i;
ALTER TABLE "Large" SET (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1);
DELETE FROM "Large" WHERE "id" % 2 = 0`;

/** The statement fails if no autovacuum of the table `Large` is running. */
const RUNS = `
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE backend_type = 'autovacuum worker' AND query LIKE '%Large%')
  THEN RAISE EXCEPTION 'No autovacuum is running.'; END IF;
END $$`;

test("a migration cancels an autovacuum that blocks the migration (PostgreSQL)", async () => {
  const server = await startDatabaseServer(["autovacuum_naptime=1"]);
  try {
    await server.administer(ROLE);
    const url = new URL(server.url);
    url.username = "gatehouse_app";
    const config = { provider: "postgresql", url: url.href } as const;
    const folder = temporaryFolder();
    cpSync(resolve("prisma/postgresql/migrations"), folder, { recursive: true });
    await migrate(config, { folder });
    await server.administer(SLOWLY_VACUUMED);
    await expect.poll(() => server.administer(RUNS).then(() => true, String), { timeout: 30_000 }).toBe(true);
    mkdirSync(join(folder, LATER));
    writeFileSync(join(folder, LATER, "migration.sql"), 'ALTER TABLE "Large" ADD COLUMN "later" INTEGER');
    const sentences: string[] = [];
    const startedAt = performance.now();
    const applied = await migrate(config, {
      folder,
      signal: AbortSignal.timeout(30_000),
      report: (sentence) => sentences.push(sentence),
    });
    expect(applied).toEqual([LATER]);
    expect(sentences).toEqual([expect.stringContaining("(autovacuum worker, unknown state)")]);
    record({
      fault: "autovacuum of a large table blocks a migration",
      database: "PostgreSQL",
      expected: "the migration is applied, and the log names the autovacuum",
      responses: "none: the server starts",
      readiness: "none",
      log: "the autovacuum that holds the lock",
      recovery: `the migration is applied after ${milliseconds(performance.now() - startedAt)}`,
    });
  } finally {
    await server.remove();
    await releaseAll();
  }
});
