import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A migration: a folder `<timestamp>_<name>` with a file `migration.sql`. */
export type Migration = Readonly<{ name: string; sql: string; checksum: string }>;

/**
 * Returns the migrations of a folder, oldest first.
 * @throws an Error when the folder or a file in it cannot be read.
 */
export function readMigrations(folder: string): readonly Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => readMigration(folder, entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Computes Prisma's checksum, so that Prisma's own tools recognize the applied migrations. */
function readMigration(folder: string, name: string): Migration {
  const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
  return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
}
