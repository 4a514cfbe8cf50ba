import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { SETTINGS } from "@/instance/settings/catalog.ts";
import { conformance } from "@/testing/conformance.ts";
import { emptyDatabase, openTestDatabase } from "@/testing/database.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { buildProgram } from "@/testing/program.ts";
import { insertUser } from "@/testing/rows.ts";
import type { DatabaseConfig } from "../config/config.ts";
import { PRODUCT_VERSION } from "../config/product.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { readMigrations } from "./migration-files.ts";
import { openDatabase } from "./open.ts";

const shipped = (config: DatabaseConfig) => resolve("prisma", config.provider, "migrations");
const names = (config: DatabaseConfig) => readMigrations(shipped(config)).map((migration) => migration.name);

/** A copy of the shipped migrations in a folder that the test may change. */
function copyOf(config: DatabaseConfig): string {
  const folder = temporaryFolder();
  cpSync(shipped(config), folder, { recursive: true });
  return folder;
}

function addMigration(folder: string, name: string, sql: string): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "migration.sql"), sql);
}

/**
 * Acquires the lock for which a migration waits, in another connection. Returns the function that releases
 * the lock.
 */
async function holdLock(config: DatabaseConfig): Promise<() => Promise<void>> {
  if (config.provider === "sqlite") {
    const holder = new Sqlite(config.file);
    holder.exec("BEGIN IMMEDIATE");
    return async () => void holder.close();
  }
  const holder = new pg.Client({ connectionString: config.url, application_name: "holder" });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE "User" IN ACCESS SHARE MODE');
  return () => holder.end();
}

describe("a migration that waits for a lock", () => {
  const LATER = "29991231000000_later";
  async function lockedDatabase() {
    const { config } = await openTestDatabase();
    const folder = copyOf(config);
    addMigration(folder, LATER, 'ALTER TABLE "User" ADD COLUMN "later" INTEGER;');
    return { config, folder, release: await holdLock(config) };
  }

  it(
    conformance(
      "SC-41",
      "a waiting migration does not block the event loop, reports the process that holds the lock, and continues after the lock is released",
    ),
    async () => {
      const { config, folder, release } = await lockedDatabase();
      const reports: string[] = [];
      const migrated = migrate(config, { folder, report: (sentence) => reports.push(sentence) });
      let turns = 0;
      const turning = setInterval(() => turns++, 10);
      await expect.poll(() => reports).toHaveLength(1);
      clearInterval(turning);
      expect(turns, "turns of the event loop").toBeGreaterThan(3);
      expect(reports[0]).toMatch(
        config.provider === "sqlite"
          ? `The migration ${LATER} waits for a lock that another process that writes to ${config.file} holds.`
          : /^The migration \d+_later waits for a lock that the PostgreSQL process \d+ \(holder, idle in transaction\) holds\.$/,
      );
      await release();
      expect(await migrated).toEqual([LATER]);
    },
  );

  it(
    conformance("SC-41", "a waiting migration stops at an abort signal and changes nothing in the database"),
    async () => {
      const { config, folder, release } = await lockedDatabase();
      const stop = new AbortController();
      const migrated = migrate(config, { folder, signal: stop.signal });
      const refused = expect(migrated).rejects.toThrow();
      await pause(200);
      stop.abort();
      // The other connection holds the lock that the migration needs until this point.
      await refused;
      await release();
      expect(await pendingMigrations(config, { folder })).toEqual([LATER]);
      expect(await migrate(config, { folder })).toEqual([LATER]);
    },
  );
});

describe(conformance("SC-06", "the maximum idle time of refresh tokens"), () => {
  it.each([
    ["the migration stores no limit in an older instance without a value", null, ["0"]],
    ["the migration keeps the value of an older instance", "86400", ["86400"]],
  ])("%s", async (_title, before, after) => {
    const config = await emptyDatabase();
    const folder = copyOf(config);
    const all = names(config);
    const first = all.findIndex((name) => name.endsWith("_refresh_idle_limit"));
    for (const name of all.slice(first)) rmSync(join(folder, name), { recursive: true });
    await migrate(config, { folder });
    const { db, close } = await openDatabase(config);
    const now = new Date();
    await db.instance.create({ data: { id: 1, secretCheck: "x", createdAt: now } });
    if (before !== null)
      await db.setting.create({ data: { key: "refresh_token_idle_limit", value: before, updatedAt: now } });
    await migrate(config);
    const rows = await db.setting.findMany({ where: { key: "refresh_token_idle_limit" } });
    expect(rows.map(({ value }) => value)).toEqual(after);
    await close();
  });

  it("the maximum idle time of refresh tokens is 90 days in a new instance", async () => {
    const { db } = await openTestDatabase();
    expect(await db.setting.count()).toBe(0);
    expect(SETTINGS.refresh_token_idle_limit.default).toBe(90 * 86_400);
    expect(SETTINGS.refresh_token_absolute_limit.default).toBe(0);
  });
});

describe("the migration of a database", () => {
  it("migrate applies each migration once, and applies no migration at the next start", async () => {
    const config = await emptyDatabase();
    expect(await pendingMigrations(config)).toEqual(names(config));
    expect(await migrate(config)).toEqual(names(config));
    expect(await migrate(config)).toEqual([]);
    expect(await pendingMigrations(config)).toEqual([]);
  });

  it("migrate applies each migration once when three processes start simultaneously", async () => {
    const config = await emptyDatabase();
    const run = await buildProgram("migrate");
    const applied = await Promise.all([1, 2, 3].map(() => run(JSON.stringify(config))));
    expect(applied.flat().toSorted()).toEqual(names(config));
    const { db, close } = await openDatabase(config);
    expect(await insertUser(db, "first")).toMatchObject({ username: "first" });
    await close();
  });

  it("migrate determines the pending migrations a second time after it has waited for another process that applies migrations", async () => {
    const config = await emptyDatabase();
    const applied = await Promise.all([1, 2, 3].map(() => migrate(config)));
    // Each migration is applied by only one of the three processes, so each migration occurs once in the
    // three results.
    expect(applied.flat().toSorted()).toEqual(names(config));
  });

  it("a migration succeeds while another process uses the database", async () => {
    const { config, db } = await openTestDatabase();
    await insertUser(db, "before");
    const folder = copyOf(config);
    addMigration(folder, "29991231000000_more", 'CREATE TABLE "More" ("id" INTEGER); DROP TABLE "Session";');
    expect(await pendingMigrations(config, { folder })).toEqual(["29991231000000_more"]);
    expect(await migrate(config, { folder })).toEqual(["29991231000000_more"]);
    expect(await db.user.count()).toBe(1);
    expect(await insertUser(db, "after")).toMatchObject({ username: "after" });
  });

  it("migrate throws an error when the file of an applied migration has changed", async () => {
    const { config } = await openTestDatabase();
    const folder = copyOf(config);
    const [first] = names(config);
    appendFileSync(join(folder, first ?? "", "migration.sql"), "\n");
    const refusal = `The migration ${first} was changed after it was applied to this database.`;
    await expect(migrate(config, { folder })).rejects.toThrow(refusal);
    await expect(pendingMigrations(config, { folder })).rejects.toThrow(refusal);
  });

  it("migrate refuses a database that a newer version has migrated, names both versions and the solution, and does not affect the readiness of running processes", async () => {
    const { config } = await openTestDatabase();
    const newer = copyOf(config);
    addMigration(newer, "29991231000000_newer", 'CREATE TABLE "Newer" ("id" INTEGER);');
    await migrate(config, { folder: newer });
    await expect(migrate(config)).rejects.toThrow(
      `This is Gatehouse ${PRODUCT_VERSION}, but version ${PRODUCT_VERSION} has migrated this database (29991231000000_newer). Start version ${PRODUCT_VERSION} or a later version, or restore a backup of version ${PRODUCT_VERSION} or an earlier version into a new DATA_DIR and database.`,
    );
    await expect(migrate(config, { upTo: names(config).at(-1) })).rejects.toThrow("29991231000000_newer");
    expect(await pendingMigrations(config)).toEqual([]);
    expect(await migrate(config, { folder: newer })).toEqual([]);
  });

  it("a failed migration leaves no change in the database", async () => {
    const { config } = await openTestDatabase();
    const folder = copyOf(config);
    addMigration(
      folder,
      "29991231000000_wrong",
      'CREATE TABLE "Half" ("id" INTEGER); INSERT INTO "Nowhere" VALUES (1);',
    );
    const refusal = "The migration 29991231000000_wrong could not be applied:";
    await expect(migrate(config, { folder })).rejects.toThrow(refusal);
    expect(await pendingMigrations(config, { folder })).toEqual(["29991231000000_wrong"]);
    writeFileSync(
      join(folder, "29991231000000_wrong", "migration.sql"),
      'CREATE TABLE "Half" ("id" INTEGER);',
    );
    expect(await migrate(config, { folder })).toEqual(["29991231000000_wrong"]);
  });
});
