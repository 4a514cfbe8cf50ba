import Sqlite from "better-sqlite3";
import { retryWhileBusy } from "./busy.ts";
import { groupedWrites } from "./grouped-writes.ts";
import type { Mutex } from "./mutex.ts";
import type { Prepared, PreparedWrite, SqliteSession } from "./prepared.ts";
import { LOG_LENGTH } from "./sqlite-adapter.ts";
import type { Statement } from "./statement.ts";

/**
 * The busy timeout of SQLite. The wait blocks the thread, but a reader waits for a lock only while another process
 * recovers the log.
 */
const RECOVERY_MS = 1_000;

/**
 * The maximum size of the memory-mapped part of the file in bytes. The mapping uses the page cache of the
 * operating system, whereas SQLite discards its own cache after each commit of another connection. The
 * drawback is that a read error of the disk ends the process instead of failing the request.
 */
const MAPPED_MAX = 1 << 30;

/**
 * Opens a read-only connection for lookups and another connection for writes.
 * @param file an existing database. The tables of the file need to exist only when a statement is first used.
 * @param mutex the mutex that admits one writer of this process at a time.
 */
export function preparedSqlite(file: string, mutex: Mutex): { prepared: Prepared; close: () => void } {
  const reader = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: RECOVERY_MS });
  reader.pragma(`mmap_size = ${MAPPED_MAX}`);
  const writer = new Sqlite(file, { fileMustExist: true, timeout: 0 });
  for (const pragma of ["synchronous=FULL", "foreign_keys=ON", LOG_LENGTH]) writer.pragma(pragma);
  const { first, all } = sessionOn(reader);
  return {
    prepared: { first, all, write: writesOn(writer, mutex) },
    close: () => {
      writer.close();
      reader.close();
    },
  };
}

type Ready = Readonly<{ text: string; prepared: Sqlite.Statement<unknown[], unknown[]> }>;

/** Each statement is prepared at its first use. */
function sessionOn(connection: Sqlite.Database): SqliteSession {
  const ready = new Map<string, Ready>();

  function prepare<Parameters>({ name, sqlite: { text } }: Statement<Parameters, unknown, "sqlite">) {
    const existing = ready.get(name);
    if (existing?.text === text) return existing.prepared;
    if (existing !== undefined) throw new Error(`Two statements have the name ${name}.`);
    const prepared = connection.prepare<unknown[], unknown[]>(text);
    if (prepared.reader) prepared.raw();
    ready.set(name, { text, prepared });
    return prepared;
  }

  return {
    first: (statement, parameters) => {
      const columns = prepare(statement).get(...statement.sqlite.values(parameters));
      return columns === undefined ? null : statement.sqlite.row(columns);
    },
    all: (statement, parameters) => {
      const { values, row } = statement.sqlite;
      return prepare(statement)
        .all(...values(parameters))
        .map(row);
    },
    run: (statement, parameters) => prepare(statement).run(...statement.sqlite.values(parameters)).changes,
  };
}

type Queue<Write, Result> = (write: Write) => Promise<Result | false>;

function writesOn(connection: Sqlite.Database, mutex: Mutex): Prepared["write"] {
  const session = sessionOn(connection);
  const inTransaction = connection.transaction((run: () => unknown) => run()).immediate as <Result>(
    run: () => Result,
  ) => Result;
  const queues = new Map<string, unknown>();

  function queueOf<Write, Result>({ name, sqlite }: PreparedWrite<Write, Result>): Queue<Write, Result> {
    // The map stores a queue under the name of its kind of write, which determines the type of the writes.
    const existing = queues.get(name) as Queue<Write, Result> | undefined;
    if (existing !== undefined) return existing;
    const commit = (writes: readonly Write[]) =>
      "group" in sqlite ? sqlite.group(session, writes) : writes.map((write) => sqlite.each(session, write));
    const queue = groupedWrites<Write, Result>(
      mutex,
      (writes) => retryWhileBusy(() => inTransaction(() => commit(writes))),
      "group" in sqlite ? sqlite.turns : 0,
    );
    queues.set(name, queue);
    return queue;
  }

  return (kind, write) => queueOf(kind)(write);
}
