import Sqlite from "better-sqlite3";
import { groupedWrites } from "./grouped-writes.ts";
import { cachedLookups } from "./lookup-cache.ts";
import type { Mutex } from "./mutex.ts";
import type { Prepared, PreparedWrite } from "./prepared.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { sessionOn } from "./sqlite-session.ts";
import type { SqliteWriter } from "./sqlite-writer.ts";

/**
 * The busy timeout of SQLite. A wait for a lock blocks the thread, but is rare: a reader waits for a lock
 * only while another process recovers the write-ahead log.
 */
const RECOVERY_MS = 1_000;

/**
 * The maximum size of the memory-mapped part of the file in bytes. The mapping uses the page cache of the
 * operating system, because SQLite discards its own cache after each commit of another connection. The
 * drawback of the mapping is that a read error of the disk ends the whole process instead of only the
 * request.
 */
const MAPPED_MAX = 1 << 30;

/**
 * Opens a read-only connection for lookups, and queues writes for the writer.
 * @param file an existing database. The tables of the file need to exist only when a statement is first used.
 * @param mutex the mutex that serializes the writers of this process.
 */
export function preparedSqlite(
  file: string,
  mutex: Mutex,
  writer: SqliteWriter,
): {
  prepared: Prepared;
  /** Lets the next lookup return the changes that this process has read or committed on another connection. */
  endSnapshot: () => void;
  close: () => Promise<void>;
} {
  const reader = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: RECOVERY_MS });
  reader.pragma(`mmap_size = ${MAPPED_MAX}`);
  const snapshot = readSnapshot(reader);
  const session = sessionOn(reader);
  const lookups = cachedLookups(session, session.columns, snapshot.dataVersion);
  return {
    prepared: {
      first: (statement, parameters) => {
        snapshot.begin();
        return lookups.first(statement, parameters);
      },
      all: (statement, parameters) => {
        snapshot.begin();
        return lookups.all(statement, parameters);
      },
      write: writesOn(writer, mutex, snapshot.end),
    },
    endSnapshot: snapshot.end,
    close: async () => {
      snapshot.end();
      const leave = await mutex();
      await writer.close();
      leave();
      reader.close();
    },
  };
}

type Queue<Write, Result> = (write: Write) => Promise<Result | false>;

/** @param committed the function that is called after each group of writes. */
function writesOn(writer: SqliteWriter, mutex: Mutex, committed: () => void): Prepared["write"] {
  const queues = new Map<string, unknown>();

  function queueOf<Write, Result>(kind: PreparedWrite<Write, Result>): Queue<Write, Result> {
    // The map stores each queue under the name of its kind of write. Each name belongs to one type of
    // prepared writes, so the type cast is correct.
    const existing = queues.get(kind.name) as Queue<Write, Result> | undefined;
    if (existing !== undefined) return existing;
    const queue = groupedWrites<Write, Result>(
      mutex,
      (group) => writer.commit(kind, group).finally(committed),
      "group" in kind.sqlite ? kind.sqlite.turns : 0,
    );
    queues.set(kind.name, queue);
    return queue;
  }

  return (kind, write) => queueOf(kind)(write);
}
