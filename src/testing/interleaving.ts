import { expect } from "vitest";
import type { Deps } from "@/kernel/deps/deps.ts";
import { deferred } from "@/kernel/process/deferred.ts";

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
 * Runs the function `write` in a transaction on PostgreSQL, and then the function `event`. The transaction
 * ends when the event waits for one of its locks.
 */
export async function whileUncommitted(
  deps: Deps,
  write: (within: Deps) => Promise<unknown>,
  event: () => Promise<unknown>,
): Promise<void> {
  const written = deferred<void>();
  const end = deferred<void>();
  const transaction = deps.transaction(async (within) => {
    await write(within);
    written.resolve();
    await end.promise;
  });
  await Promise.race([written.promise, transaction]);
  const ended = event();
  const waiting = () =>
    deps.db.$queryRaw<object[]>`
      SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  try {
    await expect.poll(async () => (await waiting()).length, { timeout: 8_000 }).toBe(1);
  } finally {
    end.resolve();
  }
  await Promise.all([transaction, ended]);
}
