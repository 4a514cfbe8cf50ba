import { processWide } from "./process-wide.ts";

type Queue = { running: number; readonly waiting: (() => void)[] };

/**
 * Declares how many pieces of work may run simultaneously in all bundles of this process. Others wait, first
 * come, first served.
 * @param name unique among the state of the process.
 * @param limits.waitingMax how many may wait; by default any number.
 * @returns a function that waits for a slot and returns the function that releases it; null when too many
 * wait.
 */
export function semaphore(
  name: string,
  { atOnce, waitingMax = Number.POSITIVE_INFINITY }: Readonly<{ atOnce: number; waitingMax?: number }>,
): () => Promise<(() => void) | null> {
  const queueOf = processWide<Queue>(`semaphore ${name}`, () => ({ running: 0, waiting: [] }));
  return async () => {
    const queue = queueOf();
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
