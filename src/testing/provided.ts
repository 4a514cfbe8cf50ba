import type { DatabaseConfig } from "@/kernel/config/config.ts";

/** Values that the configuration and the global setup provide to test files. */
declare module "vitest" {
  interface ProvidedContext {
    /** The database of this test project; absent in the project of tests without a database. */
    provider: DatabaseConfig["provider"];
    /** A migrated SQLite database without rows, which test files copy. */
    sqliteTemplate: string;
    /** The PostgreSQL server of this run and its migrated template. */
    postgresql: { url: string; template: string };
  }
}
