import type Sqlite from "better-sqlite3";
import type { Gate } from "./gate.ts";
import { groupsOfWrites, timeText } from "./grouped-writes.ts";
import {
  bytesToRemove,
  COUNT_MAX,
  ERRORS_MAX,
  type ErrorTotals,
  EVENTS_KEPT,
  FACET_VALUES_MAX,
  type RecordedEvents,
  removedTotal,
  type StoredChange,
  slotsOf,
  storedChanges,
  type Totals,
  totalsOf,
  USERS_MAX,
  withinHour,
  withinRoom,
} from "./recorded-events.ts";

/** While a transaction is flushed to the disk, requests queue: they are read in a few turns, and written together. */
const TURNS_MAX = 8;

type ErrorRow = [id: number, nextSlot: number, userCount: number, eventCount: number];

const count = (column: string): string => `"${column}" = MIN("${column}" + :count, ${COUNT_MAX})`;

const STATEMENTS = {
  project: `SELECT 1 FROM "Project" WHERE "id" = ?`,
  room: `
    SELECT ${ERRORS_MAX} - COUNT(*)
    FROM (SELECT 1 FROM "TrackedError" WHERE "projectId" = ? LIMIT ${ERRORS_MAX})`,
  known: `SELECT 1 FROM "TrackedError" WHERE "projectId" = ? AND "fingerprint" = ?`,
  // A resolved error that comes back is open again; an ignored one stays ignored.
  countError: `
    UPDATE "TrackedError" SET
      ${count("eventCount")},
      "nextSlot" = ("nextSlot" + :count) % ${EVENTS_KEPT},
      "lastSeenAt" = MAX("lastSeenAt", :lastAt),
      "statusChangedAt" = CASE "status" WHEN 'resolved' THEN :lastAt ELSE "statusChangedAt" END,
      "status" = CASE "status" WHEN 'resolved' THEN 'unresolved' ELSE "status" END
    WHERE "projectId" = :projectId AND "fingerprint" = :fingerprint
    RETURNING "id", "nextSlot", "userCount", "eventCount"`,
  addError: `
    INSERT INTO "TrackedError" ("projectId", "fingerprint", "name", "message", "culprit", "platform", "level",
      "searchText", "status", "firstSeenAt", "lastSeenAt", "eventCount", "userCount", "nextSlot")
    VALUES (:projectId, :fingerprint, :name, :message, :culprit, :platform, :level,
      :searchText, 'unresolved', :firstAt, :lastAt, :count, 0, :count % ${EVENTS_KEPT})
    RETURNING "id", "nextSlot", "userCount", "eventCount"`,
  /** The length of a text is known without reading it. */
  bytesBetween: `
    SELECT COALESCE(SUM(octet_length("payload")), 0) FROM "ErrorEvent"
    WHERE "errorId" = ? AND "slot" BETWEEN ? AND ?`,
  putEvent: `
    INSERT OR REPLACE INTO "ErrorEvent" ("errorId", "slot", "eventId", "occurredAt", "receivedAt", "level",
      "environment", "release", "payload")
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  countFacet: `
    UPDATE "ErrorFacet" SET ${count("eventCount")}, "lastSeenAt" = :at
    WHERE "errorId" = :errorId AND "kind" = :kind AND "value" = :value`,
  addFacet: `
    INSERT INTO "ErrorFacet" ("errorId", "kind", "value", "eventCount", "firstSeenAt", "lastSeenAt")
    SELECT :errorId, :kind, :value, :count, :at, :at
    WHERE (SELECT COUNT(*) FROM "ErrorFacet" WHERE "errorId" = :errorId AND "kind" = :kind) < ${FACET_VALUES_MAX}`,
  countHour: `
    INSERT INTO "ErrorHour" ("errorId", "hour", "eventCount") VALUES (:errorId, :hour, :count)
    ON CONFLICT DO UPDATE SET ${count("eventCount")}`,
  addUser: `INSERT INTO "ErrorUser" ("errorId", "digest") VALUES (?, ?) ON CONFLICT DO NOTHING`,
  countUsers: `UPDATE "TrackedError" SET "userCount" = "userCount" + ? WHERE "id" = ?`,
  countIngest: `
    INSERT INTO "ErrorIngest" ("projectId", "hour", "outcome", "category", "count")
    VALUES (:projectId, :hour, :outcome, :category, :count)
    ON CONFLICT DO UPDATE SET ${count("count")}`,
  changeStored: `
    UPDATE "ErrorTrackingSetting" SET "storedBytes" = MAX("storedBytes" + ?, 0) WHERE "projectId" = ?
    RETURNING "storedBytes"`,
  longestUnseen: `SELECT "id" FROM "TrackedError" WHERE "projectId" = ? ORDER BY "lastSeenAt", "id"`,
  eventsOf: `SELECT COUNT(*), COALESCE(SUM(octet_length("payload")), 0) FROM "ErrorEvent" WHERE "errorId" = ?`,
  removeEvents: `DELETE FROM "ErrorEvent" WHERE "errorId" = ?`,
} as const satisfies Record<string, string>;

/** Recorded events: those of all requests that wait for each other in one transaction, summed up first. */
export function recordEventsSqlite(
  file: string,
  gate: Gate,
): { recordEvents: (events: RecordedEvents) => Promise<boolean>; close: () => void } {
  const { write, close } = groupsOfWrites<RecordedEvents>(
    file,
    gate,
    (connection) => {
      const statements = prepareAll(connection);
      return (group) => recordGroup(statements, group);
    },
    TURNS_MAX,
  );
  return { recordEvents: write, close };
}

type Statements = Readonly<Record<keyof typeof STATEMENTS, Sqlite.Statement>>;

const prepareAll = (connection: Sqlite.Database): Statements =>
  Object.fromEntries(
    Object.entries(STATEMENTS).map(([name, sql]) => {
      const statement = connection.prepare(sql);
      return [name, statement.reader ? statement.raw() : statement];
    }),
  ) as Statements;

function recordGroup(statements: Statements, group: readonly RecordedEvents[]): readonly boolean[] {
  const projects = new Map<number, boolean>();
  for (const { projectId } of group)
    if (!projects.has(projectId)) projects.set(projectId, statements.project.get(projectId) !== undefined);
  const taken = group.map(({ projectId }) => projects.get(projectId) ?? false);
  const { errors, ingest } = fitted(statements, totalsOf(group.filter((_, at) => taken[at])));
  const written = errors.map((error) => ({ error, ...recordError(statements, error) }));
  const removed = storedChanges(written).flatMap((change) => changeStored(statements, change));
  const now = group[0]?.receivedAt ?? new Date(0);
  const removals = removed.map(({ projectId, events }) => removedTotal(projectId, now, events));
  for (const { hour, ...total } of [...ingest, ...removals])
    statements.countIngest.run({ hour: timeText(hour), ...total });
  return taken;
}

function fitted(statements: Statements, asked: Totals): Totals {
  const strange = new Set(
    asked.errors.filter(
      ({ projectId, head }) => statements.known.get(projectId, head.fingerprint) === undefined,
    ),
  );
  if (strange.size === 0) return asked;
  const isKnown = (error: ErrorTotals): boolean => !strange.has(error);
  const { errors, ingest } = withinHour(asked, isKnown);
  const room = new Map<number, number>();
  for (const { projectId } of strange)
    if (!room.has(projectId)) room.set(projectId, (statements.room.get(projectId) as [number])[0]);
  return { errors: withinRoom(errors, isKnown, room), ingest };
}

/** Adds to the stored bytes of a project, and removes the oldest events when they are too many. */
function changeStored(
  statements: Statements,
  { projectId, storedBytesMax, bytes }: StoredChange,
): readonly Readonly<{ projectId: number; events: number }>[] {
  if (bytes === 0) return [];
  const row = statements.changeStored.get(bytes, projectId) as [number] | undefined;
  const excess = bytesToRemove(row?.[0] ?? 0, storedBytesMax);
  if (excess === 0) return [];
  let removedBytes = 0;
  let events = 0;
  for (const [errorId] of statements.longestUnseen.all(projectId) as [number][]) {
    if (removedBytes >= excess) break;
    const [count, size] = statements.eventsOf.get(errorId) as [number, number];
    if (count === 0) continue;
    statements.removeEvents.run(errorId);
    events += count;
    removedBytes += size;
  }
  statements.changeStored.get(-removedBytes, projectId);
  return [{ projectId, events }];
}

type Written = Readonly<{ bytes: number; replacedBytes: number }>;

function recordError(statements: Statements, error: ErrorTotals): Written {
  const { projectId, head, count } = error;
  const lastAt = timeText(error.lastAt);
  const key = { projectId, fingerprint: head.fingerprint, count, lastAt };
  const row = (statements.countError.get(key) ??
    statements.addError.get({ ...head, ...key, firstAt: timeText(error.firstAt) })) as ErrorRow;
  const [errorId, nextSlot, userCount, eventCount] = row;
  const slots = slotsOf(error, nextSlot);
  const replacedBytes = eventCount > EVENTS_KEPT ? bytesIn(statements, errorId, slots) : 0;
  let bytes = 0;
  for (const { slot, event, receivedAt } of slots) {
    bytes += Buffer.byteLength(event.payload);
    const times = [timeText(event.occurredAt), timeText(receivedAt)];
    const { eventId, level, environment, release, payload } = event;
    statements.putEvent.run(errorId, slot, eventId, ...times, level, environment, release, payload);
  }
  for (const facet of error.facets.values()) {
    const values = { errorId, at: lastAt, ...facet };
    if (statements.countFacet.run(values).changes === 0) statements.addFacet.run(values);
  }
  for (const [hour, of] of error.hours)
    statements.countHour.run({ errorId, hour: timeText(new Date(hour)), count: of });
  countUsers(statements, errorId, userCount, error.users);
  return { bytes, replacedBytes };
}

/** How many bytes are stored in slots that follow each other in the ring. */
function bytesIn(statements: Statements, errorId: number, slots: ReturnType<typeof slotsOf>): number {
  const [first, last] = [slots[0]?.slot ?? 0, slots.at(-1)?.slot ?? 0];
  const ranges =
    first <= last
      ? [[first, last]]
      : [
          [first, EVENTS_KEPT - 1],
          [0, last],
        ];
  return ranges.reduce(
    (sum, range) => sum + (statements.bytesBetween.get(errorId, ...range) as [number])[0],
    0,
  );
}

function countUsers(
  statements: Statements,
  errorId: number,
  userCount: number,
  users: ReadonlySet<string>,
): void {
  let added = 0;
  for (const user of users)
    if (userCount + added < USERS_MAX) added += statements.addUser.run(errorId, user).changes;
  if (added > 0) statements.countUsers.run(added, errorId);
}
