import { setTimeout as pause } from "node:timers/promises";
import { isDriverAdapterError } from "@prisma/driver-adapter-utils";

/** How long a statement waits for another process to finish writing. */
const PATIENCE_MS = 5_000;

/** About ten seconds of tries; only a migration waits longer, and has no hurry. */
const QUICK_TRIES = 5_000;
const SLOW_PAUSE_MS = 50;

/**
 * Runs `attempt` again, every one to three milliseconds, while SQLite says that another process holds the lock.
 * SQLite's own waiting would block the event loop and with it every other request.
 * @throws what `attempt` throws, its busy error once `patienceMs` have passed, and the reason of `signal`.
 */
export async function retryWhileBusy<Result>(
  attempt: () => Result | Promise<Result>,
  patienceMs = PATIENCE_MS,
  signal?: AbortSignal,
): Promise<Result> {
  const giveUpAt = performance.now() + patienceMs;
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
    }
    await pause(tries < QUICK_TRIES ? 1 + (tries % 3) : SLOW_PAUSE_MS, undefined, { signal });
  }
}

/** The driver's own error carries `code`; Prisma's wrapping of it carries the code in its cause. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = isDriverAdapterError(error)
    ? error.cause.originalCode
    : "code" in error
      ? error.code
      : undefined;
  return typeof code === "string" && code.startsWith("SQLITE_BUSY");
}
