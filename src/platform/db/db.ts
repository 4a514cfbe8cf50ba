import type { PrismaClient } from "./generated/sqlite/client.ts";

/** The tables, inside or outside a transaction. The PostgreSQL client has the same shape and is cast to it once. */
export type Db = Omit<
  PrismaClient,
  "$connect" | "$disconnect" | "$extends" | "$on" | "$transaction" | "$use"
>;

/** What a bearer token stands for, in one row: the token, its application and its person. Times are dates. */
export type BearerRow = Readonly<{
  tokenId: number;
  scopes: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  applicationId: number | null;
  applicationUid: string | null;
  user: Readonly<{
    id: number;
    username: string;
    name: string;
    email: string;
    emailVerified: boolean;
    admin: boolean;
    state: string;
    createdAt: Date;
  }>;
}>;

/** The look-ups of the hot paths: prepared statements, one module per database behind this type. */
export type HotLookups = Readonly<{
  /** The access token with this digest, whatever its state; null when there is none. */
  bearer: (accessDigest: string) => BearerRow | null | Promise<BearerRow | null>;
}>;

/** An open, migrated database. */
export type Database = Readonly<{
  db: Db;
  hot: HotLookups;
  /** Runs in one transaction, retried by nobody: what it throws rolls it back. */
  transaction: <Result>(run: (db: Db) => Promise<Result>) => Promise<Result>;
  close: () => Promise<void>;
}>;
