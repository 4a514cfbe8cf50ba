import Sqlite from "better-sqlite3";
import { countBusyRetries, retryWhileBusy } from "./busy.ts";
import type { PreparedWrite } from "./prepared.ts";
import { LOG_LENGTH } from "./sqlite-pragmas.ts";
import { sessionOn } from "./sqlite-session.ts";

/** A connection that commits groups of prepared writes. */
export type SqliteWriter = Readonly<{
  /**
   * Performs all writes of a group in one transaction. The promise resolves after the commit is on the disk.
   * @returns the result of each write.
   */
  commit: <Write, Result>(
    kind: PreparedWrite<Write, Result>,
    group: readonly Write[],
  ) => Promise<readonly (Result | false)[]>;
  close: () => Promise<void>;
}>;

/**
 * Opens a connection for prepared writes in this thread. The thread waits for the disk at each commit.
 * @param onRetry the function that is called before a group is repeated because another connection holds the lock.
 */
export function openSqliteWriter(file: string, onRetry = () => countBusyRetries(1)): SqliteWriter {
  const connection = new Sqlite(file, { fileMustExist: true, timeout: 0 });
  for (const pragma of ["synchronous=FULL", "foreign_keys=ON", LOG_LENGTH]) connection.pragma(pragma);
  const session = sessionOn(connection);
  const inTransaction = connection.transaction((run: () => unknown) => run()).immediate as <Result>(
    run: () => Result,
  ) => Result;
  return {
    commit: ({ sqlite }, group) =>
      retryWhileBusy(
        () =>
          inTransaction(() =>
            "group" in sqlite
              ? sqlite.group(session, group)
              : group.map((write) => sqlite.each(session, write)),
          ),
        { onRetry },
      ),
    close: async () => {
      connection.close();
    },
  };
}
