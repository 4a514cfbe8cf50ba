import { Worker } from "node:worker_threads";
import { type Deferred, deferred } from "@/kernel/process/deferred.ts";
import { countBusyRetries } from "./busy.ts";
import type { SqliteWriter } from "./sqlite-writer.ts";
import type { Reply, Task } from "./writer-messages.ts";

/**
 * Raised for writes that a thread did not confirm before the thread ended. It is unknown whether the writes
 * are on the disk.
 */
export class WriterThreadEnded extends Error {
  readonly code = "WRITER_THREAD_ENDED";
  constructor(cause: unknown) {
    super("The thread that writes to the database ended before it confirmed the write.", { cause });
    this.name = "WriterThreadEnded";
  }
}

type Thread = Readonly<{
  commit: (kind: string, group: readonly unknown[]) => Promise<readonly unknown[]>;
  close: () => Promise<void>;
}>;

/**
 * Returns a writer that commits in a separate thread, so that the thread of the caller does not wait for the
 * disk. The first commit starts the thread. If the thread ends unexpectedly, the next commit starts a new
 * thread.
 * @param program the file of the thread's program, which calls `serveWrites`.
 */
export function openWriterThread(program: string, file: string): SqliteWriter {
  let thread: Thread | null = null;
  let isClosed = false;
  return {
    commit: async <Write, Result>({ name }: Readonly<{ name: string }>, group: readonly Write[]) => {
      if (isClosed) throw new Error("The database is closed.");
      thread ??= startThread(program, file, () => {
        thread = null;
      });
      // Each kind of write has one type of results, so the type cast is correct.
      return (await thread.commit(name, group)) as readonly (Result | false)[];
    },
    close: async () => {
      isClosed = true;
      await thread?.close();
    },
  };
}

/** @param ended the function that is called when the thread has ended and has released its locks. */
function startThread(program: string, file: string, ended: () => void): Thread {
  // The command line options of the process may be invalid for a thread.
  const worker = new Worker(program, { workerData: { file }, execArgv: [] });
  const exit = deferred<void>();
  /**
   * The groups of writes to which the thread has not replied, oldest first. The thread commits the groups in
   * the order of the list.
   */
  const waiting: Deferred<readonly unknown[]>[] = [];
  let failure: unknown;
  worker.on("error", (cause) => {
    failure = cause;
  });
  worker.on("exit", () => {
    ended();
    exit.resolve();
    for (const { reject } of waiting) reject(new WriterThreadEnded(failure));
  });
  worker.on("message", (reply: Reply) => {
    const group = waiting.shift();
    if (reply.retries > 0) countBusyRetries(reply.retries);
    if ("results" in reply) group?.resolve(reply.results);
    else group?.reject(Object.assign(new Error(reply.message), { code: reply.code }));
  });
  const send = (task: Task): void => worker.postMessage(task);
  return {
    commit: (kind, group) => {
      send({ kind, group });
      const committed = deferred<readonly unknown[]>();
      waiting.push(committed);
      return committed.promise;
    },
    close: () => {
      send("close");
      return exit.promise;
    },
  };
}
