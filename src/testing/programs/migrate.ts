import type { DatabaseConfig } from "@/platform/config.ts";
import { migrate } from "@/platform/db/migrate.ts";

/** Migrates the database of the first argument and prints what it applied. */
const config: DatabaseConfig = JSON.parse(process.argv[2] ?? "");
process.stdout.write(JSON.stringify(await migrate(config)));
