import { migrate } from "@/kernel/db/migrate";
import { reachDatabase } from "@/kernel/db/open";
import { defineCommand } from "./command";

const writeReport = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

const migrateCommand = defineCommand({
  name: "migrate",
  usage: "",
  about:
    "Apply all pending migrations to the database. The server also applies pending migrations when it starts.",
  options: {},
  run: async ({ config }) => {
    await reachDatabase(config.database, {});
    const applied = await migrate(config.database, { report: writeReport });
    const text = applied.length === 0 ? "The database is up to date." : `Applied ${applied.join(", ")}.`;
    return { text, json: { applied } };
  },
});

export const commands = [migrateCommand];
