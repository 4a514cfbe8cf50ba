import { Prisma } from "@/kernel/db/generated/sqlite/client";
import type { Deps } from "@/kernel/deps/deps";
import type { StatisticName } from "./catalog";

/**
 * The number of events of a kind that are not stored yet. `application` is empty for the count of the whole
 * instance.
 */
export type Increment = Readonly<{ name: StatisticName; application: string; hour: Date; count: number }>;

const ROWS_AT_ONCE = 200;

/**
 * Adds these numbers of events to the stored counts. Several processes may simultaneously add events to the
 * counts of the same hour. All processes lock the rows in the order of their keys, which prevents deadlocks.
 */
export async function addCounts(
  { db, config }: Pick<Deps, "db" | "config">,
  increments: readonly Increment[],
): Promise<void> {
  // In a VALUES list, PostgreSQL requires a type cast for a timestamp; SQLite requires none.
  const time = (at: Date): Prisma.Sql =>
    config.database.provider === "postgresql" ? Prisma.sql`CAST(${at} AS TIMESTAMP(3))` : Prisma.sql`${at}`;
  const sorted = increments.toSorted(
    (a, b) =>
      compare(a.name, b.name) || compare(a.application, b.application) || a.hour.getTime() - b.hour.getTime(),
  );
  for (let start = 0; start < sorted.length; start += ROWS_AT_ONCE) {
    const rows = sorted
      .slice(start, start + ROWS_AT_ONCE)
      .map(
        ({ name, application, hour, count }) =>
          Prisma.sql`(${name}, ${application}, ${time(hour)}, CAST(${count} AS INTEGER))`,
      );
    await db.$executeRaw`
      INSERT INTO "HourlyCount" ("name", "application", "hour", "count") VALUES ${Prisma.join(rows)}
      ON CONFLICT ("name", "application", "hour") DO UPDATE SET "count" = "HourlyCount"."count" + excluded."count"`;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
