import { processWide } from "./process-wide.ts";

type Queue = { running: number; readonly waiting: (() => void)[] };

/**
 * Declares how many pieces of work may run at the same time, in all bundles of this process together. The others wait,
 * first come, first served.
 * @param name unique among the state of the process.
 * @param limits.waitingMax how many may wait; without it, any number.
 * @returns a function that waits for a place and gives the function that frees it; null when too many wait already.
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
