import { isMigrated, migrate } from "@/kernel/db/migrate";
import { reachDatabase } from "@/kernel/db/open";
import { databaseName } from "@/server/first-start";
import { defineCommand } from "./command";

const writeReport = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

const migrateCommand = defineCommand({
  name: "migrate",
  usage: "",
  about:
    "Apply all pending migrations to the database. If no database exists, the command creates a new instance. The server also applies pending migrations when it starts.",
  options: {},
  run: async ({ config }) => {
    await reachDatabase(config.database, {});
    const isNew = !(await isMigrated(config.database));
    const applied = await migrate(config.database, { report: writeReport });
    const name = databaseName(config.database);
    const lines = [
      ...(isNew && applied.length > 0 ? [`Created a new instance in the database ${name}.`] : []),
      applied.length === 0 ? `The database ${name} is up to date.` : `Applied ${applied.join(", ")}.`,
    ];
    return { text: lines.join("\n"), json: { applied } };
  },
});

export const commands = [migrateCommand];
