import { processWide } from "./process-wide.ts";

/** A worker process of a server: its number, which starts at 1, and the number of workers. */
export type Worker = Readonly<{ number: number; count: number }>;

const state = processWide<{ worker: Worker | null }>("worker", () => ({ worker: null }));

/**
 * Returns the number of this worker process and the number of all worker processes. The result is null in a
 * process that is not a worker: a command, a primary process, and the only process of a server.
 */
export const currentWorker = (): Worker | null => state().worker;

/** Declares that this process is a worker. The function must be called before all other code in the process. */
export function becomeWorker(worker: Worker): void {
  state().worker = worker;
}
