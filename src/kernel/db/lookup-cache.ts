import type { SqliteSession } from "./prepared.ts";
import type { ColumnLookup } from "./sqlite-session.ts";
import type { Statement } from "./statement.ts";

type Lookups = Pick<SqliteSession, "first" | "all">;

/**
 * A stored result: the column values, the rows that were created from these values, and the version of the
 * database file.
 */
type Result = { columns: readonly (readonly unknown[])[]; rows: readonly unknown[]; version: number };

/** The maximum number of stored results. */
const RESULTS_MAX = 1_000;

/**
 * Returns lookup functions, which store the results of statements with `isCached` until the database file
 * changes. Each lookup first reads the version of the database file, so that a change by any process applies
 * to the next lookup. Reading the version of the database file takes a fifth of the time of a lookup without
 * the cache. If a change of the file does not change the result, the lookup returns the stored array again,
 * so that values derived from this array stay valid.
 * @param dataVersion returns a number that changes after each commit of another connection (`PRAGMA
 * data_version`).
 */
export function cachedLookups(session: Lookups, lookUp: ColumnLookup, dataVersion: () => number): Lookups {
  const results = new Map<string, Result>();

  function all<Parameters, Row>(
    statement: Statement<Parameters, Row, "sqlite">,
    parameters: NoInfer<Parameters>,
  ): readonly Row[] {
    if (statement.isCached !== true) return session.all(statement, parameters);
    const version = dataVersion();
    const key = `${statement.name} ${JSON.stringify(parameters)}`;
    const stored = results.get(key);
    if (stored?.version === version) return stored.rows as readonly Row[];
    const columns = lookUp(statement, parameters);
    if (stored !== undefined && areEqual(columns, stored.columns)) {
      stored.version = version;
      // Each statement has a unique name, so the stored rows have the type of the statement.
      return stored.rows as readonly Row[];
    }
    const rows = columns.map(statement.sqlite.row);
    if (results.size >= RESULTS_MAX) results.clear();
    results.set(key, { columns, rows, version });
    return rows;
  }

  return {
    all,
    first: (statement, parameters) =>
      statement.isCached === true
        ? (all(statement, parameters)[0] ?? null)
        : session.first(statement, parameters),
  };
}

const areEqual = (rows: Result["columns"], others: Result["columns"]): boolean =>
  rows.length === others.length &&
  rows.every((row, index) => {
    const other = others[index];
    for (let at = 0; at < row.length; at += 1) if (row[at] !== other?.[at]) return false;
    return true;
  });
