import type { PrismaClient } from "./generated/sqlite/client.ts";
import type { Prepared } from "./prepared.ts";

/** The tables, inside or outside a transaction. The PostgreSQL client has the same shape and is cast to it once. */
export type Db = Omit<
  PrismaClient,
  "$connect" | "$disconnect" | "$extends" | "$on" | "$transaction" | "$use"
>;

/** An open, migrated database. */
export type Database = Readonly<{
  db: Db;
  prepared: Prepared;
  /** Runs in one transaction, retried by nobody: what it throws rolls it back. */
  transaction: <Result>(run: (db: Db) => Promise<Result>) => Promise<Result>;
  close: () => Promise<void>;
}>;
