import "./provided.ts";
import { randomUUID } from "node:crypto";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import type { DatabaseConfig } from "@/kernel/config/config.ts";
import type { Database } from "@/kernel/db/db.ts";
import { openDatabase } from "@/kernel/db/open.ts";
import { temporaryFolder } from "./folder.ts";
import { afterThisFile } from "./release.ts";

export type TestDatabase = Database & Readonly<{ config: DatabaseConfig }>;

/** The time limit of a transaction in a test, which no transaction reaches on a busy machine. */
const TRANSACTION_MS = 240_000;

/**
 * Opens a new migrated database of the current provider. The database is closed and removed after the test
 * file.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const config = await migratedDatabase();
  const database = await openDatabase(config, { transactionMs: TRANSACTION_MS });
  afterThisFile(database.close);
  return { ...database, config };
}

/** Creates a database without tables, which is removed after the test file. */
export async function emptyDatabase(): Promise<DatabaseConfig> {
  return currentProvider() === "sqlite" ? newFile() : newPostgresql("template0");
}

async function migratedDatabase(): Promise<DatabaseConfig> {
  if (currentProvider() === "postgresql") return newPostgresql(inject("postgresql").template);
  const config = newFile();
  copyFileSync(inject("sqliteTemplate"), config.file);
  return config;
}

function currentProvider(): DatabaseConfig["provider"] {
  // The Vitest project `unit` provides no value, although the declared type requires one.
  const provider: DatabaseConfig["provider"] | undefined = inject("provider");
  if (provider === undefined)
    throw new Error("A test that opens a database must be named *.service.test.ts or *.sqlite.test.ts.");
  return provider;
}

const newFile = () => ({ provider: "sqlite" as const, file: join(temporaryFolder(), "gatehouse.db") });

async function newPostgresql(template: string): Promise<DatabaseConfig> {
  const name = `gatehouse_test_${randomUUID().replaceAll("-", "")}`;
  await administer(`CREATE DATABASE "${name}" TEMPLATE "${template}"`);
  afterThisFile(() => administer(`DROP DATABASE "${name}" WITH (FORCE)`));
  return { provider: "postgresql", url: new URL(`/${name}`, inject("postgresql").url).href };
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject("postgresql").url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
