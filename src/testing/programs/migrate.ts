import type { DatabaseConfig } from "@/kernel/config/config.ts";
import { migrate } from "@/kernel/db/migrate.ts";

/** This program migrates the database in the first argument, and prints the applied migrations. */
const config: DatabaseConfig = JSON.parse(process.argv[2] ?? "");
process.stdout.write(JSON.stringify(await migrate(config)));
