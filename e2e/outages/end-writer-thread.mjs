// Node loads this module before the server starts (`node --import`). On SIGUSR2, the module ends the threads
// that the process has started, as if these threads had crashed.
import { createRequire, syncBuiltinESMExports } from "node:module";

/** @type {{ Worker: typeof import("node:worker_threads").Worker, isMainThread: boolean }} */
const threads = createRequire(import.meta.url)("node:worker_threads");
const { Worker } = threads;
/** @type {Set<InstanceType<typeof Worker>>} */
const running = new Set();

threads.Worker = class extends Worker {
  /** @param {ConstructorParameters<typeof Worker>} args */
  constructor(...args) {
    super(...args);
    running.add(this);
    this.once("exit", () => running.delete(this));
  }
};
syncBuiltinESMExports();

if (threads.isMainThread)
  process.on("SIGUSR2", () => {
    for (const thread of running) void thread.terminate();
  });
