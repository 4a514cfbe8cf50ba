import type { Migration } from "./migration-files.ts";

/** A row of `_prisma_migrations` that was not rolled back. */
export type Recorded = Readonly<{ name: string; checksum: string; finished: boolean }>;

/** A connection that migrates; one module per database makes it. */
export type MigrationSession = Readonly<{
  /** What the database says was applied; nothing where no migration ever ran. */
  recorded: () => Promise<readonly Recorded[]>;
  /** Begins a transaction that no other migrating process can be in, and makes the table of records. */
  begin: () => Promise<void>;
  /** Runs the statements of a migration and records it. */
  apply: (migration: Migration) => Promise<void>;
  commit: () => Promise<void>;
  rollback: () => Promise<void>;
  /** Returns which other process `begin` or `apply` waits for; null when they do not wait. */
  blockedBy: () => Promise<string | null>;
  close: () => Promise<void>;
}>;
