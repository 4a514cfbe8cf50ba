import type { Deps } from "@/kernel/deps/deps";
import { writeBehindBuffer } from "@/kernel/jobs/write-behind";
import type { StatisticName } from "./catalog";
import { type Bar, barsOf, hourOf, type Period, startOf } from "./rules";
import * as store from "./store";
import * as sql from "./store.sql";

/**
 * The maximum number of distinct counters in memory. When this number is reached, events of further
 * applications are not counted until the next batch has been stored.
 */
const COUNTERS_MAX = 10_000;

const WHOLE_INSTANCE = "";

const counted = writeBehindBuffer(
  "statistics",
  () => new Map<string, { -readonly [Key in keyof store.Increment]: store.Increment[Key] }>(),
  (deps, counters) => store.addCounts(deps, [...counters.values()]),
);

/**
 * Counts an event in the current hour, for the instance and for the application of the event. The function
 * only increments counters in memory. A batch stores the counters in the database later (decision 69).
 * @param application the Application ID; null for an event without an application.
 */
export function countEvent(
  { clock }: Pick<Deps, "clock">,
  name: StatisticName,
  application: string | null = null,
): void {
  const hour = hourOf(clock());
  increment(name, WHOLE_INSTANCE, hour);
  if (application !== null) increment(name, application, hour);
  counted.schedule();
}

function increment(name: StatisticName, application: string, hour: Date): void {
  const counters = counted.waiting();
  const key = `${name} ${hour.getTime()} ${application}`;
  const counter = counters.get(key);
  if (counter !== undefined) counter.count += 1;
  else if (counters.size < COUNTERS_MAX) counters.set(key, { name, application, hour, count: 1 });
}

/** Stores all counts that are still in memory. */
export const writeStatistics = counted.write;

/**
 * Returns the bars of a period for each event with one of these names, with one database query.
 * @param application the Application ID; null for the whole instance.
 */
export async function readStatistics<Name extends StatisticName>(
  deps: Deps,
  names: readonly Name[],
  period: Period,
  application: string | null = null,
): Promise<Readonly<Record<Name, readonly Bar[]>>> {
  await writeStatistics(deps);
  const now = deps.clock();
  const since = startOf(period, now);
  const rows = await sql.countsSince(deps.reads, {
    names,
    application: application ?? WHOLE_INSTANCE,
    since,
  });
  const bars = names.map((name) => [
    name,
    barsOf(
      period,
      now,
      rows.filter((row) => row.name === name),
    ),
  ]);
  return Object.fromEntries(bars) as Record<Name, readonly Bar[]>;
}

/**
 * Returns the Application IDs of the applications with the most events of these names in a period, in descending
 * order.
 */
export const topApplications = async (
  deps: Deps,
  names: readonly StatisticName[],
  period: Period,
  most: number,
): Promise<readonly Readonly<{ uid: string; count: number }>[]> =>
  sql.topApplications(deps.reads, { names, since: startOf(period, deps.clock()), most });
