import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates the database file and its folder so that only the owner can access the file and the folder. SQLite
 * creates its log files with the same mode. Existing files and folders are left unchanged.
 */
export function createSqliteFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, "a", 0o600));
}
