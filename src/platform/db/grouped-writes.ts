import Sqlite from "better-sqlite3";
import { whenFree } from "./busy.ts";
import type { Gate } from "./gate.ts";

/**
 * Pages in the log before it is copied into the database, four times SQLite's own number: digests fall on other pages
 * each time, and a page that has changed more than once meanwhile is copied once.
 */
export const LOG_LENGTH = "wal_autocheckpoint=4000";

type Waiting<Write> = Readonly<{
  write: Write;
  resolve: (done: boolean) => void;
  reject: (cause: unknown) => void;
}>;

/**
 * Writes of one kind on a connection of their own. All that wait when it is their turn at the gate share one
 * transaction, and so one flush to the disk, which takes longer than everything else.
 * @param gate lets one writer of this process in at a time.
 * @param prepare makes the function that does one write inside the transaction and says whether it took place. Called
 * at the first use: the tables may be made after the file is opened.
 */
export function groupedWrites<Write>(
  file: string,
  gate: Gate,
  prepare: (connection: Sqlite.Database) => (write: Write) => boolean,
): { write: (write: Write) => Promise<boolean>; close: () => void } {
  const connection = new Sqlite(file, { fileMustExist: true, timeout: 0 });
  for (const pragma of ["synchronous=FULL", "foreign_keys=ON", LOG_LENGTH]) connection.pragma(pragma);
  let commit: ((group: readonly Waiting<Write>[]) => readonly boolean[]) | undefined;
  let waiting: Waiting<Write>[] = [];

  async function writeWaiting(): Promise<void> {
    const leave = await gate();
    const group = waiting;
    waiting = [];
    try {
      commit ??= inOneTransaction(connection, prepare(connection));
      const commitGroup = commit;
      const done = await whenFree(() => commitGroup(group));
      for (const [index, { resolve }] of group.entries()) resolve(done[index] ?? false);
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    } finally {
      leave();
    }
  }

  return {
    write: (write) =>
      new Promise((resolve, reject) => {
        waiting.push({ write, resolve, reject });
        // The requests that arrived together with this one get as far before the turn of the event loop ends.
        if (waiting.length === 1) setImmediate(writeWaiting);
      }),
    close: () => connection.close(),
  };
}

const inOneTransaction = <Write>(
  connection: Sqlite.Database,
  one: (write: Write) => boolean,
): ((group: readonly Waiting<Write>[]) => readonly boolean[]) =>
  connection.transaction((group: readonly Waiting<Write>[]) => group.map(({ write }) => one(write)))
    .immediate;

/** Exactly as Prisma's adapter writes a time: they are compared as text. */
export const timeText = (time: Date): string => time.toISOString().replace("Z", "+00:00");
