import { availableParallelism } from "node:os";

/**
 * The maximum number of workers: each worker needs 250 MB or more, so a larger number is probably a typing
 * error.
 */
const WORKERS_MAX = 128;

export const WORKER_COUNT_RULE = `must be a number from 1 to ${WORKERS_MAX}, or auto`;

/**
 * Returns the number of worker processes in `text`: a number, or one worker per core for `auto`.
 * @returns null when `text` is neither a number nor `auto`.
 */
export function parseWorkerCount(text: string, cores = availableParallelism()): number | null {
  if (text === "auto") return Math.min(cores, WORKERS_MAX);
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= WORKERS_MAX ? count : null;
}
