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
 * Runs the function `write` in a transaction on PostgreSQL, and then the functions `events`, one after the
 * other. Each event starts when the previous event waits for a lock. When the last event waits for a lock, the
 * transaction ends. If `write` returns a function, the transaction first calls this function.
 */
export async function whileUncommitted(
  deps: Deps,
  write: (within: Deps) => Promise<unknown>,
  ...events: readonly (() => Promise<unknown>)[]
): Promise<void> {
  const written = deferred<void>();
  const end = deferred<void>();
  const transaction = deps.transaction(async (within) => {
    const rest = await write(within);
    written.resolve();
    await end.promise;
    if (typeof rest === "function") await rest();
  });
  await Promise.race([written.promise, transaction]);
  const ended: Promise<unknown>[] = [];
  const waiting = () =>
    deps.db.$queryRaw<object[]>`
      SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  try {
    for (const event of events) {
      ended.push(event());
      await expect.poll(async () => (await waiting()).length, { timeout: 8_000 }).toBe(ended.length);
    }
  } finally {
    end.resolve();
  }
  await Promise.all([transaction, ...ended]);
}
