import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";

/** Copies the database as it is at one moment, however much is written meanwhile, into one new file. */
export const copySqliteOut = (file: string, to: string): void => copy(file, to, () => undefined);

/**
 * Puts a copy in the place of a database that is not there yet.
 * @throws an Error when there is one, or the copy is damaged.
 */
export function copySqliteIn(from: string, file: string): void {
  if (existsSync(file)) throw new Error(`There is a database already: ${file}`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  copy(from, file, (source) => {
    const [row] = source.pragma("integrity_check") as readonly { integrity_check: string }[];
    if (row?.integrity_check !== "ok") throw new Error(`The database in the backup is damaged: ${from}`);
  });
}

/** SQLite's own way to read one moment of a database: one statement, so no writer makes it begin again. */
function copy(from: string, to: string, judge: (source: Sqlite.Database) => void): void {
  const source = new Sqlite(from, { readonly: true, fileMustExist: true });
  try {
    judge(source);
    source.prepare("VACUUM INTO ?").run(to);
    chmodSync(to, 0o600);
  } finally {
    source.close();
  }
}
