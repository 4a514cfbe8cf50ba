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

type Call = Readonly<{
  table: "groupAncestor" | "linkedIdentity" | "mergeRequestApproval" | "webhook";
  method: "createMany" | "findMany" | "findUnique" | "updateMany";
}>;

/** Returns dependencies that call the function `event` once, directly before or after the first call of a method of a table. */
function atFirst(
  moment: "before" | "after",
  deps: Deps,
  { table, method }: Call,
  event: () => Promise<unknown>,
): Deps {
  let isOver = false;
  const rows = new Proxy<object>(deps.db[table], {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (name !== method || isOver) return value;
      return async (input: unknown) => {
        isOver = true;
        if (moment === "before") await event();
        const result: unknown = await (value as (input: unknown) => Promise<unknown>)(input);
        if (moment === "after") await event();
        return result;
      };
    },
  });
  const db = new Proxy(deps.db, {
    get: (client, name) => (name === table ? rows : Reflect.get(client, name)),
  });
  return { ...deps, db };
}

/** Returns dependencies that call the function `event` once, directly before the first call of a method of a table. */
export const beforeFirst = (deps: Deps, call: Call, event: () => Promise<unknown>): Deps =>
  atFirst("before", deps, call, event);

/** Returns dependencies that call the function `event` once, directly after the first call of a method of a table. */
export const afterFirst = (deps: Deps, call: Call, event: () => Promise<unknown>): Deps =>
  atFirst("after", deps, call, event);

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
    await expect.poll(async () => isSettled || (await countWaitingSessions(deps)) > 0).toBe(true);
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
  try {
    for (const event of events) {
      ended.push(event());
      await expect.poll(() => countWaitingSessions(deps)).toBe(ended.length);
    }
  } finally {
    end.resolve();
  }
  await Promise.all([transaction, ...ended]);
}

async function countWaitingSessions({ db }: Deps): Promise<number> {
  const waiting = await db.$queryRaw<object[]>`
    SELECT 1 FROM "pg_stat_activity" WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'`;
  return waiting.length;
}
