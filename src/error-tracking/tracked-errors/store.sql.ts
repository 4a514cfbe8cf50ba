import { integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Prepared, PreparedWrite, Reads } from "@/kernel/db/prepared";
import { optional, type RowOf, statement, withList } from "@/kernel/db/statement";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import * as postgresql from "./record-events-postgresql";
import * as sqlite from "./record-events-sqlite";
import { EVENTS_KEPT, type IngestTotal, type RecordedEvents } from "./recorded-events";
import type { ErrorSort, ErrorStatus } from "./rules";

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
  projectId: number,
  id: number,
): Eventually<RowOf<typeof ERROR_COLUMNS> | null> => reads.first(ERROR, { id, projectId });

/** The columns by which the lists are sorted. An index contains the tracked errors of a status in each order. */
const SORT_COLUMNS = {
  last_seen: "lastSeenAt",
  first_seen: "firstSeenAt",
  count: "eventCount",
  frequency: "eventCount",
} as const satisfies Record<ErrorSort, string>;

const STATUSES = { any: "", one: ` AND e."status" = :status` } as const;
/** The parameters of the lists. The parameter `status` is not used by the lists of any status. */
const PARAMETERS = { projectId: integer, status: text };
const listed = (status: keyof typeof STATUSES): string =>
  `"TrackedError" e WHERE e."projectId" = :projectId${STATUSES[status]}`;

const errorsBy = (sort: ErrorSort, status: keyof typeof STATUSES) =>
  statement({
    name: `tracked_errors_${sort}_${status}`,
    isScan: true,
    parameters: { ...PARAMETERS, skip: integer, take: integer },
    columns: ERROR_COLUMNS,
    sql: (columns) => `
      SELECT ${columns} FROM ${listed(status)}
      ORDER BY e."${SORT_COLUMNS[sort]}" DESC, e."id" DESC LIMIT :take OFFSET :skip`,
  });
const sortedBy = (sort: ErrorSort) => ({ any: errorsBy(sort, "any"), one: errorsBy(sort, "one") });
const ERRORS = {
  last_seen: sortedBy("last_seen"),
  first_seen: sortedBy("first_seen"),
  count: sortedBy("count"),
  frequency: sortedBy("frequency"),
} as const satisfies Record<ErrorSort, unknown>;

/** Returns a page of the tracked errors of a project with a status, or with any status. */
export const listErrors = (
  reads: Reads,
  project: AuthorizedProject,
  status: ErrorStatus | null,
  { sort, skip, take }: Readonly<{ sort: ErrorSort; skip: number; take: number }>,
): Eventually<readonly RowOf<typeof ERROR_COLUMNS>[]> =>
  reads.all(ERRORS[sort][status === null ? "any" : "one"], {
    ...{ projectId: project.id, status: status ?? "", skip, take },
  });

const countOf = (status: keyof typeof STATUSES) =>
  statement({
    name: `tracked_errors_${status}_count`,
    isScan: true,
    parameters: PARAMETERS,
    columns: { count: [`CAST(COUNT(*) AS INTEGER)`, integer] },
    sql: (columns) => `SELECT ${columns} FROM ${listed(status)}`,
  });
const COUNTS = { any: countOf("any"), one: countOf("one") } as const;

/** Returns the number of tracked errors of a project with a status, or with any status. */
export async function countErrors(
  reads: Reads,
  project: AuthorizedProject,
  status: ErrorStatus | null,
): Promise<number> {
  const parameters = { projectId: project.id, status: status ?? "" };
  return (await reads.first(COUNTS[status === null ? "any" : "one"], parameters))?.count ?? 0;
}

const LATEST_CHANGE_COLUMNS = {
  errorCount: [`CAST(COUNT(*) AS INTEGER)`, integer],
  eventCount: [`CAST(SUM(e."eventCount") AS DOUBLE PRECISION)`, nullable(integer)],
  lastSeenAt: [`MAX(e."lastSeenAt")`, nullable(time)],
  statusChangedAt: [`MAX(e."statusChangedAt")`, nullable(time)],
} as const;

const LATEST_CHANGE = statement({
  name: "latest_change_of_tracked_errors",
  isScan: true,
  parameters: { projectId: integer },
  columns: LATEST_CHANGE_COLUMNS,
  sql: (columns) => `SELECT ${columns} FROM "TrackedError" e WHERE e."projectId" = :projectId`,
});

/** Returns values that change when a tracked error of the project is added, occurs again or gets another status. */
export const latestChange = (
  reads: Reads,
  project: AuthorizedProject,
): Eventually<RowOf<typeof LATEST_CHANGE_COLUMNS> | null> =>
  reads.first(LATEST_CHANGE, { projectId: project.id });

const EVENT_COLUMNS = {
  slot: [`v."slot"`, integer],
  eventId: [`v."eventId"`, text],
  occurredAt: [`v."occurredAt"`, time],
  receivedAt: [`v."receivedAt"`, time],
  level: [`v."level"`, text],
  environment: [`v."environment"`, text],
  release: [`v."release"`, text],
  payload: [`v."payload"`, text],
} as const;

const EVENTS_OF_ERROR = statement({
  name: "events_of_tracked_error",
  parameters: { id: integer, projectId: integer },
  columns: { nextSlot: [`e."nextSlot"`, integer], event: optional(EVENT_COLUMNS) },
  sql: (columns) => `
    SELECT ${columns} FROM "TrackedError" e LEFT JOIN "ErrorEvent" v ON v."errorId" = e."id"
    WHERE e."id" = :id AND e."projectId" = :projectId`,
});

/**
 * Returns the events in the ring buffer of a tracked error, newest first: the slot before `nextSlot` contains
 * the newest event. The result is null if the project has no tracked error with this id.
 */
export async function listEvents(
  reads: Reads,
  project: AuthorizedProject,
  id: number,
): Promise<readonly RowOf<typeof EVENT_COLUMNS>[] | null> {
  const rows = await reads.all(EVENTS_OF_ERROR, { id, projectId: project.id });
  const [error] = rows;
  if (error === undefined) return null;
  const age = (slot: number): number => (error.nextSlot - 1 - slot + EVENTS_KEPT) % EVENTS_KEPT;
  return rows.flatMap(({ event }) => event ?? []).toSorted((a, b) => age(a.slot) - age(b.slot));
}

const INGEST_COLUMNS = {
  outcome: [`i."outcome"`, text],
  category: [`i."category"`, text],
  count: [`CAST(SUM(i."count") AS DOUBLE PRECISION)`, integer],
} as const;

const INGEST = statement({
  name: "ingest_counts",
  isScan: true,
  parameters: { projectId: integer, since: time },
  columns: INGEST_COLUMNS,
  sql: (columns) => `
    SELECT ${columns} FROM "ErrorIngest" i WHERE i."projectId" = :projectId AND i."hour" >= :since
    GROUP BY i."outcome", i."category"`,
});

/** Returns the numbers of envelope items that a project received since a time, by outcome and category. */
export const listIngestCounts = (
  reads: Reads,
  project: AuthorizedProject,
  since: Date,
): Eventually<readonly RowOf<typeof INGEST_COLUMNS>[]> => reads.all(INGEST, { projectId: project.id, since });

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

const RECEIVED_COLUMNS = {
  hour: [`i."hour"`, time],
  outcome: [`i."outcome"`, text],
  count: [`CAST(SUM(i."count") AS DOUBLE PRECISION)`, integer],
} as const;

const RECEIVED_BY_HOUR = statement({
  name: "ingest_by_hour",
  isScan: true,
  parameters: { since: time },
  columns: RECEIVED_COLUMNS,
  sql: (columns) => `
    SELECT ${columns} FROM "ErrorIngest" i WHERE i."hour" >= :since AND i."category" = 'error'
    GROUP BY i."hour", i."outcome"`,
});

/** Returns the number of received error events of all projects since a time, by hour and outcome. */
export const ingestByHour = (
  reads: Reads,
  since: Date,
): Eventually<readonly RowOf<typeof RECEIVED_COLUMNS>[]> => reads.all(RECEIVED_BY_HOUR, { since });
