import { expect } from "vitest";
import type { Deps } from "@/kernel/deps/deps.ts";

/** Returns dependencies that call the function `event` once, before the first transaction. */
export function beforeFirstTransaction(deps: Deps, event: () => Promise<unknown>): Deps {
  let isOver = false;
  return {
    ...deps,
    async transaction(run) {
      if (!isOver) {
        isOver = true;
        await event();
      }
      return deps.transaction.call(this, run) as ReturnType<typeof run>;
    },
  };
}

/**
 * Starts a request while a transaction is open. On PostgreSQL, the function resolves when the request waits for a
 * lock, or has ended. On SQLite, the transactions of the request begin after the end of the open transaction.
 * @returns the result of the request, as `pending`.
 */
export async function startDuringTransaction<Result>(
  deps: Deps,
  request: () => Promise<Result>,
): Promise<Readonly<{ pending: Promise<Result> }>> {
  let isSettled = false;
  const pending = request().finally(() => {
    isSettled = true;
  });
  // Without this handler, a rejection would be unhandled until the transaction ends.
  pending.catch(() => undefined);
  if (deps.config.database.provider === "postgresql")
    await expect.poll(async () => isSettled || (await hasWaitingSession(deps))).toBe(true);
  return { pending };
}

/**
 * Runs the function `first` in a transaction, and starts the function `second` before the transaction ends.
 * @returns the result of `second`.
 */
export async function duringTransaction<Result>(
  deps: Deps,
  first: (within: Deps) => Promise<unknown>,
  second: () => Promise<Result>,
): Promise<Result> {
  const { pending } = await deps.transaction(async (within) => {
    await first(within);
    return startDuringTransaction(deps, second);
  });
  return pending;
}

async function hasWaitingSession({ db }: Deps): Promise<boolean> {
  const waiting: unknown[] =
    await db.$queryRaw`SELECT "pid" FROM "pg_stat_activity" WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'`;
  return waiting.length > 0;
}
