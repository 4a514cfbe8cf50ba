import { integer, text, time } from "@/kernel/db/column-types";
import type { SqliteSession } from "@/kernel/db/prepared";
import { sqliteStatement } from "@/kernel/db/statement";
import {
  bytesToRemove,
  COUNT_MAX,
  ERRORS_MAX,
  type ErrorTotals,
  EVENTS_KEPT,
  FACET_VALUES_MAX,
  type RecordedEvents,
  removedTotal,
  resultsOf,
  type StoredChange,
  slotsOf,
  storedChanges,
  type Totals,
  totalsOf,
  USERS_MAX,
  withinHourlyLimit,
  withinProjectLimit,
} from "./recorded-events";

const count = (column: string): string => `"${column}" = MIN("${column}" + :count, ${COUNT_MAX})`;

const PROJECT = sqliteStatement({
  name: "record_project",
  parameters: { projectId: integer },
  columns: { id: [`"id"`, integer] },
  sql: (columns) => `SELECT ${columns} FROM "Project" WHERE "id" = :projectId`,
});

const ROOM = sqliteStatement({
  name: "record_room",
  parameters: { projectId: integer },
  columns: { errors: [`${ERRORS_MAX} - COUNT(*)`, integer] },
  sql: (columns) => `
    SELECT ${columns} FROM (SELECT 1 FROM "TrackedError" WHERE "projectId" = :projectId LIMIT ${ERRORS_MAX})`,
});

const FIND_ERROR = sqliteStatement({
  name: "record_known",
  parameters: { projectId: integer, fingerprint: text },
  columns: { id: [`"id"`, integer] },
  sql: (columns) => `
    SELECT ${columns} FROM "TrackedError" WHERE "projectId" = :projectId AND "fingerprint" = :fingerprint`,
});

const ERROR_COLUMNS = {
  errorId: [`"id"`, integer],
  nextSlot: [`"nextSlot"`, integer],
  userCount: [`"userCount"`, integer],
  eventCount: [`"eventCount"`, integer],
} as const;

// A resolved tracked error that occurs again becomes unresolved; an ignored tracked error stays ignored.
const COUNT_ERROR = sqliteStatement({
  name: "record_count_error",
  parameters: { projectId: integer, fingerprint: text, count: integer, lastAt: time },
  columns: ERROR_COLUMNS,
  sql: (columns) => `
    UPDATE "TrackedError" SET
      ${count("eventCount")},
      "nextSlot" = ("nextSlot" + :count) % ${EVENTS_KEPT},
      "lastSeenAt" = MAX("lastSeenAt", :lastAt),
      "statusChangedAt" = CASE "status" WHEN 'resolved' THEN :lastAt ELSE "statusChangedAt" END,
      "regressedAt" = CASE "status" WHEN 'resolved' THEN :lastAt ELSE "regressedAt" END,
      "status" = CASE "status" WHEN 'resolved' THEN 'unresolved' ELSE "status" END
    WHERE "projectId" = :projectId AND "fingerprint" = :fingerprint
    RETURNING ${columns}`,
});

const ADD_ERROR = sqliteStatement({
  name: "record_add_error",
  parameters: {
    projectId: integer,
    fingerprint: text,
    name: text,
    message: text,
    culprit: text,
    platform: text,
    level: text,
    searchText: text,
    firstAt: time,
    lastAt: time,
    count: integer,
  },
  columns: ERROR_COLUMNS,
  sql: (columns) => `
    INSERT INTO "TrackedError" ("projectId", "fingerprint", "name", "message", "culprit", "platform", "level",
      "searchText", "status", "firstSeenAt", "lastSeenAt", "eventCount", "userCount", "nextSlot")
    VALUES (:projectId, :fingerprint, :name, :message, :culprit, :platform, :level,
      :searchText, 'unresolved', :firstAt, :lastAt, :count, 0, :count % ${EVENTS_KEPT})
    RETURNING ${columns}`,
});

/** SQLite computes `octet_length` without reading the text. */
const PAYLOAD_BYTES = [`COALESCE(SUM(octet_length("payload")), 0)`, integer] as const;

const BYTES_BETWEEN = sqliteStatement({
  name: "record_bytes_between",
  parameters: { errorId: integer, first: integer, last: integer },
  columns: { bytes: PAYLOAD_BYTES },
  sql: (columns) =>
    `SELECT ${columns} FROM "ErrorEvent" WHERE "errorId" = :errorId AND "slot" BETWEEN :first AND :last`,
});

const PUT_EVENT = sqliteStatement({
  name: "record_put_event",
  parameters: {
    errorId: integer,
    slot: integer,
    eventId: text,
    occurredAt: time,
    receivedAt: time,
    level: text,
    environment: text,
    release: text,
    payload: text,
  },
  columns: {},
  sql: () => `
    INSERT OR REPLACE INTO "ErrorEvent" ("errorId", "slot", "eventId", "occurredAt", "receivedAt", "level",
      "environment", "release", "payload")
    VALUES (:errorId, :slot, :eventId, :occurredAt, :receivedAt, :level, :environment, :release, :payload)`,
});

const FACET_PARAMETERS = { errorId: integer, kind: text, value: text, count: integer, at: time } as const;

const COUNT_FACET = sqliteStatement({
  name: "record_count_facet",
  parameters: FACET_PARAMETERS,
  columns: {},
  sql: () => `
    UPDATE "ErrorFacet" SET ${count("eventCount")}, "lastSeenAt" = :at
    WHERE "errorId" = :errorId AND "kind" = :kind AND "value" = :value`,
});

const ADD_FACET = sqliteStatement({
  name: "record_add_facet",
  parameters: FACET_PARAMETERS,
  columns: {},
  sql: () => `
    INSERT INTO "ErrorFacet" ("errorId", "kind", "value", "eventCount", "firstSeenAt", "lastSeenAt")
    SELECT :errorId, :kind, :value, :count, :at, :at
    WHERE (SELECT COUNT(*) FROM "ErrorFacet" WHERE "errorId" = :errorId AND "kind" = :kind) < ${FACET_VALUES_MAX}`,
});

const COUNT_HOUR = sqliteStatement({
  name: "record_count_hour",
  parameters: { errorId: integer, hour: time, count: integer },
  columns: {},
  sql: () => `
    INSERT INTO "ErrorHour" ("errorId", "hour", "eventCount") VALUES (:errorId, :hour, :count)
    ON CONFLICT DO UPDATE SET ${count("eventCount")}`,
});

const ADD_USER = sqliteStatement({
  name: "record_add_user",
  parameters: { errorId: integer, digest: text },
  columns: {},
  sql: () =>
    `INSERT INTO "ErrorUser" ("errorId", "digest") VALUES (:errorId, :digest) ON CONFLICT DO NOTHING`,
});

const COUNT_USERS = sqliteStatement({
  name: "record_count_users",
  parameters: { errorId: integer, count: integer },
  columns: {},
  sql: () => `UPDATE "TrackedError" SET "userCount" = "userCount" + :count WHERE "id" = :errorId`,
});

const COUNT_INGEST = sqliteStatement({
  name: "record_count_ingest",
  parameters: { projectId: integer, hour: time, outcome: text, category: text, count: integer },
  columns: {},
  sql: () => `
    INSERT INTO "ErrorIngest" ("projectId", "hour", "outcome", "category", "count")
    VALUES (:projectId, :hour, :outcome, :category, :count)
    ON CONFLICT DO UPDATE SET ${count("count")}`,
});

const CHANGE_STORED = sqliteStatement({
  name: "record_change_stored",
  parameters: { projectId: integer, bytes: integer },
  columns: { storedBytes: [`"storedBytes"`, integer] },
  sql: (columns) => `
    UPDATE "ErrorTrackingSetting" SET "storedBytes" = MAX("storedBytes" + :bytes, 0)
    WHERE "projectId" = :projectId
    RETURNING ${columns}`,
});

const LONGEST_UNSEEN = sqliteStatement({
  name: "record_longest_unseen",
  parameters: { projectId: integer },
  columns: { errorId: [`"id"`, integer] },
  sql: (columns) =>
    `SELECT ${columns} FROM "TrackedError" WHERE "projectId" = :projectId ORDER BY "lastSeenAt", "id"`,
});

const EVENTS_OF = sqliteStatement({
  name: "record_events_of",
  parameters: { errorId: integer },
  columns: { events: ["COUNT(*)", integer], bytes: PAYLOAD_BYTES },
  sql: (columns) => `SELECT ${columns} FROM "ErrorEvent" WHERE "errorId" = :errorId`,
});

const REMOVE_EVENTS = sqliteStatement({
  name: "record_remove_events",
  parameters: { errorId: integer },
  columns: {},
  sql: () => `DELETE FROM "ErrorEvent" WHERE "errorId" = :errorId`,
});

/**
 * Stores the events of a batch of requests. The caller has already added up the events by tracked error.
 * @returns the result of each request, as `resultsOf` does.
 */
export function recordGroup(
  session: SqliteSession,
  group: readonly RecordedEvents[],
): ReturnType<typeof resultsOf> {
  const projects = new Map<number, boolean>();
  for (const { projectId } of group)
    if (!projects.has(projectId)) projects.set(projectId, session.first(PROJECT, { projectId }) !== null);
  const accepted = group.map(({ projectId }) => projects.get(projectId) ?? false);
  const { errors, ingest } = withinLimits(session, totalsOf(group.filter((_, at) => accepted[at])));
  const written = errors.map((error) => ({ error, ...recordError(session, error) }));
  const removed = storedChanges(written).flatMap((change) => changeStored(session, change));
  const now = group[0]?.receivedAt ?? new Date(0);
  const removals = removed.map(({ projectId, events }) => removedTotal(projectId, now, events));
  const counts = [...ingest, ...removals];
  for (const total of counts) session.run(COUNT_INGEST, total);
  return resultsOf(accepted, counts);
}

function withinLimits(session: SqliteSession, totals: Totals): Totals {
  const unknown = new Set(
    totals.errors.filter(
      ({ projectId, head: { fingerprint } }) =>
        session.first(FIND_ERROR, { projectId, fingerprint }) === null,
    ),
  );
  if (unknown.size === 0) return totals;
  const isKnown = (error: ErrorTotals): boolean => !unknown.has(error);
  const { errors, ingest } = withinHourlyLimit(totals, isKnown);
  const remaining = new Map<number, number>();
  for (const { projectId } of unknown)
    if (!remaining.has(projectId)) remaining.set(projectId, session.first(ROOM, { projectId })?.errors ?? 0);
  return { errors: withinProjectLimit(errors, isKnown, remaining), ingest };
}

/**
 * Updates the stored bytes of a project, and removes the oldest events of the project if the project exceeds
 * its storage limit.
 */
function changeStored(
  session: SqliteSession,
  { projectId, storedBytesMax, bytes }: StoredChange,
): readonly Readonly<{ projectId: number; events: number }>[] {
  if (bytes === 0) return [];
  const storedBytes = session.first(CHANGE_STORED, { projectId, bytes })?.storedBytes ?? 0;
  const excess = bytesToRemove(storedBytes, storedBytesMax);
  if (excess === 0) return [];
  let removedBytes = 0;
  let removedEvents = 0;
  for (const { errorId } of session.all(LONGEST_UNSEEN, { projectId })) {
    if (removedBytes >= excess) break;
    const stored = session.first(EVENTS_OF, { errorId });
    if (stored === null || stored.events === 0) continue;
    session.run(REMOVE_EVENTS, { errorId });
    removedEvents += stored.events;
    removedBytes += stored.bytes;
  }
  session.first(CHANGE_STORED, { projectId, bytes: -removedBytes });
  return [{ projectId, events: removedEvents }];
}

type Written = Readonly<{ bytes: number; replacedBytes: number }>;

function recordError(session: SqliteSession, error: ErrorTotals): Written {
  const { projectId, head, count, firstAt, lastAt } = error;
  const key = { projectId, fingerprint: head.fingerprint, count, lastAt };
  const row = session.first(COUNT_ERROR, key) ?? session.first(ADD_ERROR, { ...head, ...key, firstAt });
  if (row === null) throw new Error("A tracked error was not stored.");
  const { errorId, nextSlot, userCount, eventCount } = row;
  const slots = slotsOf(error, nextSlot);
  const replacedBytes = eventCount > EVENTS_KEPT ? bytesIn(session, errorId, slots) : 0;
  let bytes = 0;
  for (const { slot, event, receivedAt } of slots) {
    bytes += Buffer.byteLength(event.payload);
    session.run(PUT_EVENT, { ...event, errorId, slot, receivedAt });
  }
  for (const facet of error.facets.values()) {
    const values = { errorId, at: lastAt, ...facet };
    if (session.run(COUNT_FACET, values) === 0) session.run(ADD_FACET, values);
  }
  for (const [hour, of] of error.hours) session.run(COUNT_HOUR, { errorId, hour: new Date(hour), count: of });
  countUsers(session, errorId, userCount, error.users);
  return { bytes, replacedBytes };
}

/** Returns the number of stored bytes in consecutive slots of the ring buffer. */
function bytesIn(session: SqliteSession, errorId: number, slots: ReturnType<typeof slotsOf>): number {
  const [first, last] = [slots[0]?.slot ?? 0, slots.at(-1)?.slot ?? 0];
  const ranges =
    first <= last
      ? [{ first, last }]
      : [
          { first, last: EVENTS_KEPT - 1 },
          { first: 0, last },
        ];
  return ranges.reduce(
    (sum, range) => sum + (session.first(BYTES_BETWEEN, { errorId, ...range })?.bytes ?? 0),
    0,
  );
}

function countUsers(
  session: SqliteSession,
  errorId: number,
  userCount: number,
  users: ReadonlySet<string>,
): void {
  let added = 0;
  for (const digest of users)
    if (userCount + added < USERS_MAX) added += session.run(ADD_USER, { errorId, digest });
  if (added > 0) session.run(COUNT_USERS, { errorId, count: added });
}
