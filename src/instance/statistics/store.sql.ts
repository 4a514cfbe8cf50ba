import { integer, text, texts, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";
import type { StatisticName } from "./catalog";

const COUNT_COLUMNS = {
  name: [`c."name"`, text],
  hour: [`c."hour"`, time],
  count: [`c."count"`, integer],
} as const;

const COUNTS = statement({
  name: "hourly_counts",
  parameters: { names: texts, application: text, since: time },
  columns: COUNT_COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "HourlyCount" c
    WHERE ${isIn(`c."name"`, ":names")} AND c."application" = :application AND c."hour" >= :since`,
  ),
});

/**
 * Returns the stored counts of events with these names since a time. `application` is empty for the counts of
 * the whole instance.
 */
export const countsSince = (
  reads: Reads,
  counts: Readonly<{ names: readonly StatisticName[]; application: string; since: Date }>,
): Eventually<readonly RowOf<typeof COUNT_COLUMNS>[]> => reads.all(COUNTS, counts);

const TOP_COLUMNS = {
  uid: [`c."application"`, text],
  count: [`CAST(SUM(c."count") AS DOUBLE PRECISION)`, integer],
} as const;

const TOP_APPLICATIONS = statement({
  name: "top_applications",
  isScan: true,
  parameters: { names: texts, since: time, most: integer },
  columns: TOP_COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "HourlyCount" c
    WHERE ${isIn(`c."name"`, ":names")} AND c."hour" >= :since AND c."application" <> ''
    GROUP BY c."application" ORDER BY SUM(c."count") DESC, c."application" LIMIT :most`,
  ),
});

/** Returns the applications with the most events of these names since a time, in descending order of the number. */
export const topApplications = (
  reads: Reads,
  top: Readonly<{ names: readonly StatisticName[]; since: Date; most: number }>,
): Eventually<readonly RowOf<typeof TOP_COLUMNS>[]> => reads.all(TOP_APPLICATIONS, top);
