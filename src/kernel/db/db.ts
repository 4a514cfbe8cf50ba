import type { PrismaClient } from "./generated/sqlite/client.ts";
import type { Prepared, Reads } from "./prepared.ts";

/**
 * The Prisma client with which the code accesses the tables, inside or outside of a transaction. The
 * PostgreSQL client has the same type structure, and one place in the code casts the PostgreSQL client to
 * this type.
 */
export type Db = Omit<
  PrismaClient,
  "$connect" | "$disconnect" | "$extends" | "$on" | "$transaction" | "$use"
>;

/** The two ways to query the tables, inside or outside of a transaction: Prisma, and typed statements. */
export type Queries = Readonly<{ db: Db; reads: Reads }>;

/** An open, migrated database. */
export type Database = Readonly<{
  db: Db;
  prepared: Prepared;
  /**
   * Whether lookups and transactions share the connections of a pooler. If the connections are shared, a
   * lookup inside of a transaction runs on the connection of the transaction. A lookup on another connection
   * could wait forever while transactions hold all connections.
   */
  sharesConnections?: boolean;
  /** Runs the function `run` in one transaction without retries. An error rolls the transaction back. */
  transaction: <Result>(run: (db: Db, reads: Reads) => Promise<Result>) => Promise<Result>;
  close: () => Promise<void>;
}>;
