import type { PrismaClient } from "./generated/sqlite/client.ts";
import type { Prepared } from "./prepared.ts";
import type { RecordedEvents } from "./recorded-events.ts";

/** The tables, inside or outside a transaction. The PostgreSQL client has the same shape and is cast to it once. */
export type Db = Omit<
  PrismaClient,
  "$connect" | "$disconnect" | "$extends" | "$on" | "$transaction" | "$use"
>;

/** The hot paths: prepared statements, one module per database behind this type. */
export type HotPaths = Readonly<{
  /**
   * Stores what a request brought to a project. Resolves once it is on the disk.
   * @returns false when the project is gone.
   */
  recordEvents: (events: RecordedEvents) => Promise<boolean>;
}>;

/** An open, migrated database. */
export type Database = Readonly<{
  db: Db;
  hot: HotPaths;
  prepared: Prepared;
  /** Runs in one transaction, retried by nobody: what it throws rolls it back. */
  transaction: <Result>(run: (db: Db) => Promise<Result>) => Promise<Result>;
  close: () => Promise<void>;
}>;
