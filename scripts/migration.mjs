// Authors migrations: `create <name>` writes the next one for both databases, `check` tells whether one is missing.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { missingMigration, PROVIDERS } from "./schema-engine.mjs";

const USAGE = `Usage:
  node scripts/migration.mjs create <name>   write what the models have and the migrations lack, for both databases
  node scripts/migration.mjs check           fail when the models have what the migrations lack`;

/** @param {string} name */
async function create(name) {
  if (!/^[a-z0-9_]+$/.test(name))
    return refuse(`A migration is named in small letters, digits and _.\n${USAGE}`);
  const timestamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  // Both are worked out before either is written, so that a failure leaves no half.
  /** @type {[string, string | null][]} */
  const missing = [];
  for (const provider of PROVIDERS) missing.push([provider, await missingMigration(provider)]);
  for (const [provider, sql] of missing) {
    if (sql === null) {
      console.log(`${provider}: the migrations reach the models; nothing to write.`);
      continue;
    }
    const folder = resolve("prisma", provider, "migrations", `${timestamp}_${name}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "migration.sql"), sql);
    console.log(
      `${provider}: wrote ${relative(process.cwd(), join(folder, "migration.sql"))}; read it before you keep it.`,
    );
    // Dropping a table inside a transaction takes every row with it that refers to one of its own.
    if (/^DROP TABLE/m.test(sql))
      console.log(`${provider}: it drops a table. Where a column is added, write ALTER TABLE … ADD COLUMN.`);
  }
}

async function check() {
  for (const provider of PROVIDERS) {
    const sql = await missingMigration(provider);
    if (sql !== null) {
      refuse(
        `The models and the ${provider} migrations have drifted apart. Run: node scripts/migration.mjs create <name>\n${sql}`,
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
