import type { DatabaseConfig } from "@/kernel/config/config.ts";

/** Values that the configuration and the global setup provide to test files. */
declare module "vitest" {
  interface ProvidedContext {
    /** The database of this Vitest project; absent in the project `unit`, whose tests use no database. */
    provider: DatabaseConfig["provider"];
    /** A migrated SQLite database without rows, which test files copy. */
    sqliteTemplate: string;
    /** The PostgreSQL server of this test run and its migrated template database. */
    postgresql: { url: string; template: string };
  }
}
