import { setTimeout as pause } from "node:timers/promises";
import { isDriverAdapterError } from "@prisma/driver-adapter-utils";
import { count } from "../metrics/metrics.ts";

/** The time for which a statement waits for a write of another process. */
const PATIENCE_MS = 5_000;

/**
 * The minimum number of attempts. If all processes of the machine stall for longer than the time limit, the
 * process that holds the lock still needs time to complete its write.
 */
const TRIES_MIN = 200;

/**
 * The number of attempts to acquire the lock with short pauses, which take about ten seconds in total. Only
 * migrations wait longer, with longer pauses.
 */
const QUICK_TRIES = 5_000;
const SLOW_PAUSE_MS = 50;

type RetryOptions = Readonly<{
  patienceMs?: number;
  signal?: AbortSignal | undefined;
  /** The function that is called before each repetition. By default, the repetition is counted in the metrics. */
  onRetry?: () => void;
}>;

/**
 * Counts repetitions of statements in the metrics of this thread. Only the main thread of a process has metrics.
 * @param retries the number of repetitions.
 */
export const countBusyRetries = (retries: number): void =>
  count("gatehouse_database_busy_retries_total", {}, retries);

/**
 * Repeats `attempt` every one to three milliseconds while SQLite reports that another process holds the lock.
 * The busy timeout of SQLite itself would block the event loop.
 * @throws the error of `attempt` if it is not a busy error, the busy error after `patienceMs` and
 * at least `TRIES_MIN` attempts, or the reason of an aborted `signal`.
 */
export async function retryWhileBusy<Result>(
  attempt: () => Result | Promise<Result>,
  { patienceMs = PATIENCE_MS, signal, onRetry = () => countBusyRetries(1) }: RetryOptions = {},
): Promise<Result> {
  const giveUpAt = performance.now() + patienceMs;
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || (tries >= TRIES_MIN && performance.now() >= giveUpAt)) throw error;
      onRetry();
    }
    await pause(tries < QUICK_TRIES ? 1 + (tries % 3) : SLOW_PAUSE_MS, undefined, { signal });
  }
}

/**
 * The error of the driver has the property `code`. Prisma wraps the driver's error in another error, whose
 * `cause` is the driver's error.
 */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = isDriverAdapterError(error)
    ? error.cause.originalCode
    : "code" in error
      ? error.code
      : undefined;
  return typeof code === "string" && code.startsWith("SQLITE_BUSY");
}
