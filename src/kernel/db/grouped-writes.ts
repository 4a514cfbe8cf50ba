import { setImmediate as nextTurn } from "node:timers/promises";
import { isUnavailable } from "./errors.ts";
import type { Mutex } from "./mutex.ts";

type Waiting<Write> = Readonly<{
  write: Write;
  resolve: (done: boolean) => void;
  reject: (cause: unknown) => void;
}>;

/**
 * A queue of writes. All writes that wait when the queue acquires the mutex share one commit, and with it
 * one flush to the disk, which takes longer than all other work.
 * @param mutex admits one group at a time.
 * @param commit performs all writes of a group and returns for each whether it took place.
 * @param turns of the event loop that a group waits at most, while each turn adds writes.
 */
export function groupedWrites<Write>(
  mutex: Mutex,
  commit: (group: readonly Write[]) => Promise<readonly boolean[]>,
  turns = 0,
): (write: Write) => Promise<boolean> {
  let waiting: Waiting<Write>[] = [];

  async function writeWaiting(): Promise<void> {
    for (let turn = 0, before = 0; turn < turns && waiting.length > before; turn++) {
      before = waiting.length;
      await nextTurn();
    }
    const leave = await mutex();
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
      const done = await commit(group.map(({ write }) => write));
      for (const [index, { resolve }] of group.entries()) resolve(done[index] ?? false);
    } catch (cause) {
      // A failed write must not fail the others of its group.
      if (group.length > 1 && !isUnavailable(cause)) for (const waits of group) await settle([waits]);
      else for (const { reject } of group) reject(cause);
    }
  }

  return (write) =>
    new Promise((resolve, reject) => {
      waiting.push({ write, resolve, reject });
      // Requests that arrived together reach this point in the same turn of the event loop.
      if (waiting.length === 1) setImmediate(writeWaiting);
    });
}
