import { setImmediate as nextTurn } from "node:timers/promises";
import { observe } from "../metrics/metrics.ts";
import { isUnavailable } from "./errors.ts";
import type { Mutex } from "./mutex.ts";

type Waiting<Write, Result> = Readonly<{
  write: Write;
  resolve: (result: Result | false) => void;
  reject: (cause: unknown) => void;
}>;

/**
 * Creates a queue of writes. When the queue acquires the mutex, all waiting writes share one commit and
 * therefore one flush to the disk. The flush to the disk is the slowest part of a write.
 * @param mutex the mutex that serializes the groups.
 * @param commit performs all writes of a group and returns the result of each write, or false if a write did
 * not take place.
 * @param turns the maximum number of event-loop iterations for which a group waits for more writes. A group
 * waits only while each iteration adds writes.
 */
export function groupedWrites<Write, Result>(
  mutex: Mutex,
  commit: (group: readonly Write[]) => Promise<readonly (Result | false)[]>,
  turns = 0,
): (write: Write) => Promise<Result | false> {
  let waiting: Waiting<Write, Result>[] = [];
  /** The time at which the oldest waiting write was added to the queue. */
  let since = 0;

  async function writeWaiting(): Promise<void> {
    for (let turn = 0, before = 0; turn < turns && waiting.length > before; turn++) {
      before = waiting.length;
      await nextTurn();
    }
    const leave = await mutex();
    observe("gatehouse_database_write_wait_seconds", {}, (performance.now() - since) / 1000);
    const group = waiting;
    waiting = [];
    try {
      await settle(group);
    } finally {
      leave();
    }
  }

  async function settle(group: readonly Waiting<Write, Result>[]): Promise<void> {
    try {
      observe("gatehouse_database_write_group_size", {}, group.length);
      const results = await commit(group.map(({ write }) => write));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] ?? false);
    } catch (cause) {
      // A failed write must not cause the other writes of its group to fail.
      if (group.length > 1 && !isUnavailable(cause)) for (const waits of group) await settle([waits]);
      else for (const { reject } of group) reject(cause);
    }
  }

  return (write) =>
    new Promise((resolve, reject) => {
      waiting.push({ write, resolve, reject });
      // Simultaneous requests add their writes to the queue in the same iteration of the event loop.
      if (waiting.length > 1) return;
      since = performance.now();
      setImmediate(writeWaiting);
    });
}
