import { appendFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyDatabase, openTestDatabase } from "@/testing/database.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { buildProgram } from "@/testing/program.ts";
import { insertUser } from "@/testing/rows.ts";
import type { DatabaseConfig } from "../config.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { readMigrations } from "./migration-files.ts";
import { openDatabase } from "./open.ts";

const shipped = (config: DatabaseConfig) => resolve("prisma", config.provider, "migrations");
const names = (config: DatabaseConfig) => readMigrations(shipped(config)).map((migration) => migration.name);

/** The shipped migrations, in a folder that the test may change. */
function copyOf(config: DatabaseConfig): string {
  const folder = temporaryFolder();
  cpSync(shipped(config), folder, { recursive: true });
  return folder;
}

function addMigration(folder: string, name: string, sql: string): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "migration.sql"), sql);
}

describe("migrating", () => {
  it("applies each migration once, and then has nothing to do", async () => {
    const config = await emptyDatabase();
    expect(await pendingMigrations(config)).toEqual(names(config));
    expect(await migrate(config)).toEqual(names(config));
    expect(await migrate(config)).toEqual([]);
    expect(await pendingMigrations(config)).toEqual([]);
  });

  it("applies each migration once when three processes start at once", async () => {
    const config = await emptyDatabase();
    const run = await buildProgram("migrate");
    const applied = await Promise.all([1, 2, 3].map(() => run(JSON.stringify(config))));
    expect(applied.flat().toSorted()).toEqual(names(config));
    const { db, close } = await openDatabase(config);
    expect(await insertUser(db, "first")).toMatchObject({ username: "first" });
    await close();
  });

  it("looks again when it had to wait for another that migrates", async () => {
    const config = await emptyDatabase();
    const applied = await Promise.all([1, 2, 3].map(() => migrate(config)));
    // Each is applied by one of them; who waits takes what is left.
    expect(applied.flat().toSorted()).toEqual(names(config));
  });

  it("works beside a process that is at work on the database", async () => {
    const { config, db } = await openTestDatabase();
    await insertUser(db, "before");
    const folder = copyOf(config);
    addMigration(folder, "29991231000000_more", 'CREATE TABLE "More" ("id" INTEGER); DROP TABLE "Session";');
    expect(await pendingMigrations(config, { folder })).toEqual(["29991231000000_more"]);
    expect(await migrate(config, { folder })).toEqual(["29991231000000_more"]);
    expect(await db.user.count()).toBe(1);
    expect(await insertUser(db, "after")).toMatchObject({ username: "after" });
  });

  it("refuses when the file of an applied migration has changed", async () => {
    const { config } = await openTestDatabase();
    const folder = copyOf(config);
    const [first] = names(config);
    appendFileSync(join(folder, first ?? "", "migration.sql"), "\n");
    const refusal = `The migration ${first} was changed after it was applied to this database.`;
    await expect(migrate(config, { folder })).rejects.toThrow(refusal);
    await expect(pendingMigrations(config, { folder })).rejects.toThrow(refusal);
  });

  it("leaves nothing of a migration that fails", async () => {
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
