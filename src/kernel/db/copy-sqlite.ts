import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";

/** Copies a consistent snapshot of the database into a new file, while other processes write. */
export const copySqliteOut = (file: string, to: string): void => copy(file, to, () => undefined);

/**
 * Creates a database from a copy.
 * @throws an Error when the database exists, or when the copy is damaged.
 */
export function copySqliteIn(from: string, file: string): void {
  if (existsSync(file))
    throw new Error(`A database already exists: ${file}. Restore the backup into a new database.`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  copy(from, file, (source) => {
    const [row] = source.pragma("integrity_check") as readonly { integrity_check: string }[];
    if (row?.integrity_check !== "ok")
      throw new Error(`The database in the backup is damaged: ${from}. Restore another backup.`);
  });
}

/** Copies a consistent snapshot of a database with one SQLite statement. No writer can interrupt the statement. */
function copy(from: string, to: string, validate: (source: Sqlite.Database) => void): void {
  const source = new Sqlite(from, { readonly: true, fileMustExist: true });
  try {
    validate(source);
    source.prepare("VACUUM INTO ?").run(to);
    chmodSync(to, 0o600);
  } finally {
    source.close();
  }
}
