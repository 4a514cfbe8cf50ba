import type { PrismaClient } from "./generated/sqlite/client.ts";
import type { Prepared } from "./prepared.ts";

/**
 * The tables, inside or outside a transaction. The PostgreSQL client has the same shape and is cast to this
 * type once.
 */
export type Db = Omit<
  PrismaClient,
  "$connect" | "$disconnect" | "$extends" | "$on" | "$transaction" | "$use"
>;

/** An open, migrated database. */
export type Database = Readonly<{
  db: Db;
  prepared: Prepared;
  /** Runs `run` in one transaction without retries. An error rolls it back. */
  transaction: <Result>(run: (db: Db) => Promise<Result>) => Promise<Result>;
  close: () => Promise<void>;
}>;
