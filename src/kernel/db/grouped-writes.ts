import { setImmediate as nextTurn } from "node:timers/promises";
import { isUnavailable } from "./errors.ts";
import type { Mutex } from "./mutex.ts";

type Waiting<Write> = Readonly<{
  write: Write;
  resolve: (done: boolean) => void;
  reject: (cause: unknown) => void;
}>;

/**
 * A queue of writes. All that wait when it is their turn at the gate share one commit, and so one flush to the disk,
 * which takes longer than everything else.
 * @param gate lets one group in at a time.
 * @param commit does all writes of a group and returns for each whether it took place.
 * @param turns of the event loop for which a group waits at most, while each turn brings more writes.
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
      // A write that fails must not take the others of its group with it.
      if (group.length > 1 && !isUnavailable(cause)) for (const waits of group) await settle([waits]);
      else for (const { reject } of group) reject(cause);
    }
  }

  return (write) =>
    new Promise((resolve, reject) => {
      waiting.push({ write, resolve, reject });
      // The requests that arrived together with this one get as far before the turn of the event loop ends.
      if (waiting.length === 1) setImmediate(writeWaiting);
    });
}
