import { setTimeout as pause } from "node:timers/promises";
import { isDriverAdapterError } from "@prisma/driver-adapter-utils";

/** How long a statement waits for another process to finish writing. */
const PATIENCE_MS = 5_000;

/**
 * Runs `attempt` again, every one to three milliseconds, while SQLite says that another process holds the lock.
 * SQLite's own waiting would block the event loop and with it every other request.
 * @throws what `attempt` throws, and its busy error once `patienceMs` have passed.
 */
export async function whenFree<Result>(
  attempt: () => Result | Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const giveUpAt = performance.now() + patienceMs;
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
    }
    await pause(1 + (tries % 3));
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
