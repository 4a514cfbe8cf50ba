import type Sqlite from "better-sqlite3";
import { joinTurn } from "../process/request-turn.ts";

/**
 * The snapshot of a SQLite database that the lookups of all requests of one turn share. The turn is defined in
 * `request-turn.ts`.
 */
type ReadSnapshot = Readonly<{
  /** Begins the snapshot if no snapshot is open and a turn is open. */
  begin: () => void;
  /** Ends the snapshot, so that the next lookup returns all committed changes. */
  end: () => void;
  /** Returns a number that changes after each commit of another connection (`PRAGMA data_version`). */
  dataVersion: () => number;
}>;

/**
 * Creates the read snapshots of a connection that only reads. Without a snapshot, SQLite locks and unlocks the
 * file for each lookup, which takes several times as long as the lookup itself.
 */
export function readSnapshot(connection: Sqlite.Database): ReadSnapshot {
  const begin = connection.prepare("BEGIN");
  const commit = connection.prepare("COMMIT");
  const version = connection.prepare<[], number>("PRAGMA data_version").pluck();
  const readVersion = (): number => version.get() ?? Number.NaN;
  let current: number | null = null;

  function end(): void {
    if (current === null) return;
    current = null;
    // SQLite rolls a transaction back after some errors.
    if (connection.inTransaction) commit.run();
  }

  return {
    begin: () => {
      if (current !== null || !joinTurn(end)) return;
      begin.run();
      try {
        current = readVersion();
      } catch (cause) {
        if (connection.inTransaction) commit.run();
        throw cause;
      }
    },
    end,
    dataVersion: () => current ?? readVersion(),
  };
}
