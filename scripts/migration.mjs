// Creates migrations: `create <name>` writes the next migration for both databases, and `check` fails if a
// migration is missing.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { missingMigration, PROVIDERS } from "./schema-engine.mjs";

const USAGE = `Usage:
  node scripts/migration.mjs create <name>   write the next migration from the models, for both databases
  node scripts/migration.mjs check           fail if the models and the migrations differ`;

/** @param {string} name */
async function create(name) {
  if (!/^[a-z0-9_]+$/.test(name))
    return refuse(`The name of a migration may contain only lower-case letters, digits and _.\n${USAGE}`);
  const timestamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  // The migrations of both databases are computed before any file is written, so that a failure does not
  // leave a migration for only one database.
  /** @type {[string, string | null][]} */
  const missing = [];
  for (const provider of PROVIDERS) missing.push([provider, await missingMigration(provider)]);
  for (const [provider, sql] of missing) {
    if (sql === null) {
      console.log(`${provider}: the migrations match the models; nothing to write.`);
      continue;
    }
    const folder = resolve("prisma", provider, "migrations", `${timestamp}_${name}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "migration.sql"), sql);
    console.log(
      `${provider}: wrote ${relative(process.cwd(), join(folder, "migration.sql"))}; review it before you commit it.`,
    );
    // Inside a transaction, DROP TABLE also deletes the rows of other tables that reference rows of the
    // dropped table.
    if (/^DROP TABLE/m.test(sql))
      console.log(
        `${provider}: the migration drops a table. To add a column, use ALTER TABLE … ADD COLUMN instead.`,
      );
  }
}

async function check() {
  for (const provider of PROVIDERS) {
    const sql = await missingMigration(provider);
    if (sql !== null) {
      refuse(
        `The ${provider} migrations do not match the models. Run: node scripts/migration.mjs create <name>\n${sql}`,
      );
    }
  }
}

/** @param {string} text */
function refuse(text) {
  console.error(text);
  process.exitCode = 1;
}

const [command, name = ""] = process.argv.slice(2);
if (command === "create") await create(name);
else if (command === "check") await check();
else refuse(USAGE);
