import { processWide } from "./process-wide.ts";

type Queue = { running: number; readonly waiting: (() => void)[] };

const queues = processWide("semaphores", () => new Map<string, Queue>());

/**
 * Returns, for each semaphore that was used, the number of running operations and the number of waiting operations.
 */
export const semaphoreStates = (): readonly Readonly<{ name: string; running: number; waiting: number }>[] =>
  [...queues()].map(([name, { running, waiting }]) => ({ name, running, waiting: waiting.length }));

/**
 * Declares the maximum number of operations that run simultaneously in all bundles of this process. Further
 * operations wait in the order of their calls.
 * @param name the name of the semaphore, which is unique in the process.
 * @param limits.waitingMax the maximum number of waiting operations; by default, there is no maximum.
 * @returns a function that waits for a slot. This function returns the function that releases the slot, or
 * null when the queue is full.
 */
export function semaphore(
  name: string,
  { atOnce, waitingMax = Number.POSITIVE_INFINITY }: Readonly<{ atOnce: number; waitingMax?: number }>,
): () => Promise<(() => void) | null> {
  return async () => {
    const queue = queues().get(name) ?? { running: 0, waiting: [] };
    queues().set(name, queue);
    if (queue.running < atOnce) queue.running += 1;
    else if (queue.waiting.length < waitingMax) await new Promise<void>((go) => queue.waiting.push(go));
    else return null;
    return () => {
      const next = queue.waiting.shift();
      if (next === undefined) queue.running -= 1;
      else next();
    };
  };
}
