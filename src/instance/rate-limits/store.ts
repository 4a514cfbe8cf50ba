import type { Db } from "@/kernel/db/db";

type Counter = Readonly<{ key: string; count: number; endsAt: Date }>;

/** Returns the counters with the given keys whose window has not ended. */
export const listOpen = (db: Db, keys: readonly string[], now: Date): Promise<readonly Counter[]> =>
  db.rateCounter.findMany({ where: { key: { in: [...keys] }, endsAt: { gt: now } } });

/**
 * Increments a counter and returns the new count. If no time window of the counter is open, a new time window
 * that ends at `endsAt` begins. A single statement counts all simultaneous failures.
 */
export async function increment(db: Db, key: string, endsAt: Date, now: Date): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>`
    INSERT INTO "RateCounter" ("key", "count", "endsAt") VALUES (${key}, 1, ${endsAt})
    ON CONFLICT ("key") DO UPDATE SET
      "count" = CASE WHEN "RateCounter"."endsAt" > ${now} THEN "RateCounter"."count" + 1 ELSE 1 END,
      "endsAt" = CASE WHEN "RateCounter"."endsAt" > ${now} THEN "RateCounter"."endsAt" ELSE excluded."endsAt" END
    RETURNING "count"`;
  return Number(rows[0]?.count ?? 0);
}

/** Decrements each counter with one of the given keys whose window has not ended. */
export async function decrement(db: Db, keys: readonly string[], now: Date): Promise<void> {
  await db.rateCounter.updateMany({
    where: { key: { in: [...keys] }, endsAt: { gt: now }, count: { gt: 0 } },
    data: { count: { decrement: 1 } },
  });
}

export async function remove(db: Db, keys: readonly string[]): Promise<void> {
  await db.rateCounter.deleteMany({ where: { key: { in: [...keys] } } });
}
