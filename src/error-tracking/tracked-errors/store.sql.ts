import { integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Prepared, PreparedWrite, Reads } from "@/kernel/db/prepared";
import { optional, type RowOf, statement, withList } from "@/kernel/db/statement";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import * as postgresql from "./record-events-postgresql";
import * as sqlite from "./record-events-sqlite";
import type { IngestTotal, RecordedEvents } from "./recorded-events";

export const EVENTS: PreparedWrite<RecordedEvents, readonly IngestTotal[]> = {
  name: "events",
  // While a transaction is flushed to disk, new requests wait in the queue. After the flush, the waiting
  // requests are processed in a few iterations of the event loop and stored together.
  sqlite: { group: sqlite.recordGroup, turns: 8 },
  postgresql: { group: postgresql.recordGroup },
};

/**
 * Stores the events of a request and counts dropped items. The promise resolves after the commit.
 * @returns the ingest counts that were committed for a group of requests and that no other request of the group
 * returns; false if the project no longer exists.
 */
export const recordEvents = (
  prepared: Prepared,
  events: RecordedEvents,
): Promise<readonly IngestTotal[] | false> => prepared.write(EVENTS, events);

const ERROR_COLUMNS = {
  id: [`e."id"`, integer],
  name: [`e."name"`, text],
  message: [`e."message"`, text],
  culprit: [`e."culprit"`, text],
  platform: [`e."platform"`, text],
  level: [`e."level"`, text],
  status: [`e."status"`, text],
  statusChangedAt: [`e."statusChangedAt"`, nullable(time)],
  regressedAt: [`e."regressedAt"`, nullable(time)],
  firstSeenAt: [`e."firstSeenAt"`, time],
  lastSeenAt: [`e."lastSeenAt"`, time],
  eventCount: [`e."eventCount"`, integer],
  userCount: [`e."userCount"`, integer],
} as const;

const ERROR = statement({
  name: "tracked_error",
  parameters: { id: integer, projectId: integer },
  columns: ERROR_COLUMNS,
  sql: (columns) =>
    `SELECT ${columns} FROM "TrackedError" e WHERE e."id" = :id AND e."projectId" = :projectId`,
});

/** Returns the tracked error of a project with this id, or null. */
export const findError = (
  reads: Reads,
  project: AuthorizedProject,
  id: number,
): Eventually<RowOf<typeof ERROR_COLUMNS> | null> => reads.first(ERROR, { id, projectId: project.id });

const FACET_COLUMNS = {
  kind: [`f."kind"`, text],
  value: [`f."value"`, text],
  eventCount: [`f."eventCount"`, integer],
  firstSeenAt: [`f."firstSeenAt"`, time],
  lastSeenAt: [`f."lastSeenAt"`, time],
} as const;

const FACETS = statement({
  name: "error_facets",
  parameters: { errorId: integer },
  columns: FACET_COLUMNS,
  sql: (columns) => `
    SELECT ${columns} FROM "ErrorFacet" f WHERE f."errorId" = :errorId
    ORDER BY f."eventCount" DESC, f."value"`,
});

/** Returns the environments and releases of a tracked error, with the most frequent ones first. */
export const listFacets = (
  reads: Reads,
  errorId: number,
): Eventually<readonly RowOf<typeof FACET_COLUMNS>[]> => reads.all(FACETS, { errorId });

const HOURS = statement({
  name: "error_hours",
  parameters: { errorIds: integers, projectId: integer, since: time },
  columns: {
    id: [`e."id"`, integer],
    count: optional({ hour: [`h."hour"`, time], eventCount: [`h."eventCount"`, integer] }),
  },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "TrackedError" e
    LEFT JOIN "ErrorHour" h ON h."errorId" = e."id" AND h."hour" >= :since
    WHERE ${isIn(`e."id"`, ":errorIds")} AND e."projectId" = :projectId`,
  ),
});

/** The number of events of a tracked error in an hour. */
export type HourCount = Readonly<{ hour: Date; eventCount: number }>;

/**
 * Returns a map from the ids of tracked errors to their hourly counts since the given time. Ids of other
 * projects are omitted.
 */
export async function listHours(
  reads: Reads,
  project: AuthorizedProject,
  { errorIds, since }: Readonly<{ errorIds: readonly number[]; since: Date }>,
): Promise<ReadonlyMap<number, readonly HourCount[]>> {
  const hours = new Map<number, HourCount[]>();
  for (const { id, count } of await reads.all(HOURS, { errorIds, projectId: project.id, since }))
    hours.set(id, [...(hours.get(id) ?? []), ...(count === null ? [] : [count])]);
  return hours;
}
