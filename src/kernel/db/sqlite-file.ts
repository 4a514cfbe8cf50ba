import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates the database file, and its folder, for the owner alone. SQLite gives its log files the same mode.
 * What exists already is left as it is.
 */
export function createSqliteFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, "a", 0o600));
}
