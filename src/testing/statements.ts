import Sqlite from "better-sqlite3";
import { vi } from "vitest";
import { afterThisFile } from "./release.ts";

/**
 * Counts the statements that this process runs on SQLite, over any connection, until the end of this test
 * file.
 * @returns a function that returns the current number of statements.
 */
export function countStatements(): () => number {
  let run = 0;
  const statement = Object.getPrototypeOf(new Sqlite(":memory:").prepare("SELECT 1"));
  for (const way of ["all", "get", "iterate", "run"]) {
    const original = statement[way];
    const spy = vi.spyOn(statement, way).mockImplementation(function (this: unknown, ...values: unknown[]) {
      run += 1;
      return original.apply(this, values);
    });
    afterThisFile(() => spy.mockRestore());
  }
  return () => run;
}
