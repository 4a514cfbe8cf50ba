import { setImmediate as nextTurn } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { whenFree } from "./busy.ts";
import { isUnavailable } from "./errors.ts";
import type { Gate } from "./gate.ts";
import { LOG_LENGTH } from "./sqlite-adapter.ts";

type Waiting<Write> = Readonly<{
  write: Write;
  resolve: (done: boolean) => void;
  reject: (cause: unknown) => void;
}>;

type Writer<Write> = Readonly<{ write: (write: Write) => Promise<boolean>; close: () => void }>;

/**
 * Writes of one kind on a connection of their own. All that wait when it is their turn at the gate share one
 * transaction, and so one flush to the disk, which takes longer than everything else.
 * @param gate lets one writer of this process in at a time.
 * @param prepare makes the function that does one write inside the transaction and says whether it took place. Called
 * at the first use: the tables may be made after the file is opened.
 */
export const groupedWrites = <Write>(
  file: string,
  gate: Gate,
  prepare: (connection: Sqlite.Database) => (write: Write) => boolean,
): Writer<Write> =>
  groupsOfWrites<Write>(
    file,
    gate,
    (connection) => {
      const one = prepare(connection);
      return (group) => group.map(one);
    },
    0,
  );

/**
 * The same for writes that are cheaper together.
 * @param prepare makes the function that does all writes of a group and says of each whether it took place.
 * @param turns of the event loop for which a group waits at most, as long as each brings more writes.
 */
export function groupsOfWrites<Write>(
  file: string,
  gate: Gate,
  prepare: (connection: Sqlite.Database) => (group: readonly Write[]) => readonly boolean[],
  turns: number,
): Writer<Write> {
  const connection = new Sqlite(file, { fileMustExist: true, timeout: 0 });
  for (const pragma of ["synchronous=FULL", "foreign_keys=ON", LOG_LENGTH]) connection.pragma(pragma);
  let commit: ((group: readonly Write[]) => readonly boolean[]) | undefined;
  let waiting: Waiting<Write>[] = [];

  async function writeWaiting(): Promise<void> {
    for (let turn = 0, before = 0; turn < turns && waiting.length > before; turn++) {
      before = waiting.length;
      await nextTurn();
    }
    const leave = await gate();
    const group = waiting;
    waiting = [];
    try {
      await settle(group);
    } finally {
      leave();
    }
  }

  async function settle(group: readonly Waiting<Write>[]): Promise<void> {
    try {
      commit ??= connection.transaction(prepare(connection)).immediate;
      const commitGroup = commit;
      const writes = group.map(({ write }) => write);
      const done = await whenFree(() => commitGroup(writes));
      for (const [index, { resolve }] of group.entries()) resolve(done[index] ?? false);
    } catch (cause) {
      // One that cannot be written must not take the others with it.
      if (group.length > 1 && !isUnavailable(cause)) for (const one of group) await settle([one]);
      else for (const { reject } of group) reject(cause);
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

/** Exactly as Prisma's adapter writes a time: they are compared as text. */
export const timeText = (time: Date): string => time.toISOString().replace("Z", "+00:00");
