import { parentPort, workerData } from "node:worker_threads";
import type { PreparedWrite } from "./prepared.ts";
import { openSqliteWriter } from "./sqlite-writer.ts";
import type { Outcome, Reply, Task } from "./writer-messages.ts";

/**
 * Performs the writes that the thread of `openWriterThread` receives.
 * @param kinds all kinds of writes that the process performs.
 */
export function serveWrites(kinds: readonly PreparedWrite<never, unknown>[]): void {
  const port = parentPort;
  if (port === null) throw new Error("The writer program was not started as a worker thread.");
  const { file }: { file: string } = workerData;
  let retries = 0;
  const writer = openSqliteWriter(file, () => {
    retries += 1;
  });
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));

  async function perform({ kind, group }: Exclude<Task, "close">): Promise<Outcome> {
    try {
      const write = byName.get(kind);
      if (write === undefined)
        throw new Error(`The kind of write ${kind} is not registered in the writer thread.`);
      // Each name belongs to one type of prepared writes, so the type cast is correct.
      return { results: await writer.commit(write, group as readonly never[]) };
    } catch (cause) {
      const { message, code } = cause as { message: string; code?: string };
      return { message, code };
    }
  }

  /** Performs the task, and returns the reply with the number of retries. */
  async function replyTo(task: Exclude<Task, "close">): Promise<Reply> {
    retries = 0;
    const outcome = await perform(task);
    return { ...outcome, retries };
  }

  let last: Promise<void> = Promise.resolve();
  port.on("message", (task: Task) => {
    last = last.then(async () => {
      if (task !== "close") return port.postMessage(await replyTo(task));
      await writer.close();
      port.close();
    });
  });
}
