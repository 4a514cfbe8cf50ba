import { processWide } from "./process-wide.ts";

/** A worker process of a server: its number, from 1, and the number of workers. */
export type Worker = Readonly<{ number: number; count: number }>;

const state = processWide<{ worker: Worker | null }>("worker", () => ({ worker: null }));

/** Returns the worker that this process is; null for a server of one process, a primary process and a command. */
export const currentWorker = (): Worker | null => state().worker;

/** Declares that this process is a worker. Called before anything else in the process. */
export function becomeWorker(worker: Worker): void {
  state().worker = worker;
}
