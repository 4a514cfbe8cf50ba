import type { Migration } from "./migration-files.ts";

/** A row of `_prisma_migrations` whose migration was not rolled back. */
export type Recorded = Readonly<{
  name: string;
  checksum: string;
  finished: boolean;
  /**
   * The version of Gatehouse that applied the migration. The value is null if the version was before 0.3.0,
   * because those versions did not record their version.
   */
  version: string | null;
}>;

/** A connection that migrates a database. Each provider has a separate implementation. */
export type MigrationSession = Readonly<{
  /** Returns the migrations that the database records as applied; an empty list when no migration has run. */
  recorded: () => Promise<readonly Recorded[]>;
  /** Begins a transaction that excludes other migrating processes, and creates the table of records. */
  begin: () => Promise<void>;
  /** Runs the statements of a migration, and records the migration as applied. */
  apply: (migration: Migration) => Promise<void>;
  commit: () => Promise<void>;
  rollback: () => Promise<void>;
  /** Returns the process for which `begin` or `apply` waits; null when neither function waits. */
  blockedBy: () => Promise<string | null>;
  close: () => Promise<void>;
}>;
