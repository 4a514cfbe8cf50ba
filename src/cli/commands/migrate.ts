import { migrate } from "@/platform/db/migrate";
import { defineCommand } from "../command";

const migrateCommand = defineCommand({
  name: "migrate",
  usage: "",
  about: "Bring the database to the newest migration. A start does this by itself.",
  options: {},
  run: async ({ config }) => {
    const applied = await migrate(config.database);
    const text = applied.length === 0 ? "The database is up to date." : `Applied ${applied.join(", ")}.`;
    return { text, json: { applied } };
  },
});

export const commands = [migrateCommand];
