import type { SqliteSession } from "./prepared.ts";
import type { Statement } from "./statement.ts";

type Lookups = Pick<SqliteSession, "first" | "all">;

/** The maximum number of stored results. */
const RESULTS_MAX = 1_000;

/**
 * Returns lookups that store the results of statements with `isCached` until the database file changes. Each lookup
 * first reads the version of the database file, so that a change by any process applies to the next lookup. Reading
 * the version takes a fifth of the time of a lookup without the cache.
 * @param dataVersion returns a number that changes after each commit of another connection (`PRAGMA data_version`).
 */
export function cachedLookups(session: Lookups, dataVersion: () => number): Lookups {
  const results = new Map<string, readonly unknown[]>();
  let version = Number.NaN;

  function all<Parameters, Row>(
    statement: Statement<Parameters, Row, "sqlite">,
    parameters: NoInfer<Parameters>,
  ): readonly Row[] {
    if (statement.isCached !== true) return session.all(statement, parameters);
    const current = dataVersion();
    if (current !== version || results.size >= RESULTS_MAX) results.clear();
    version = current;
    const key = `${statement.name} ${JSON.stringify(parameters)}`;
    // Each statement has a unique name, so the stored rows have the type of the statement.
    const rows = (results.get(key) as readonly Row[] | undefined) ?? session.all(statement, parameters);
    results.set(key, rows);
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
