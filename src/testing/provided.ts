import type { DatabaseConfig } from "@/kernel/config/config.ts";

/** What the configuration of the tests and its global setup tell a test file. */
declare module "vitest" {
  interface ProvidedContext {
    /** The database of this project; absent in the project of pure tests. */
    provider: DatabaseConfig["provider"];
    /** A migrated SQLite database without rows, which nobody opens. */
    sqliteTemplate: string;
    /** The PostgreSQL server of this run and its migrated template. */
    postgresql: { url: string; template: string };
  }
}
