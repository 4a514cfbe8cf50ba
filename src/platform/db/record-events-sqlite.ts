import type Sqlite from "better-sqlite3";
import type { Gate } from "./gate.ts";
import { groupsOfWrites, timeText } from "./grouped-writes.ts";
import {
  COUNT_MAX,
  ERRORS_MAX,
  type ErrorTotals,
  EVENTS_KEPT,
  FACET_VALUES_MAX,
  type RecordedEvents,
  slotsOf,
  totalsOf,
  USERS_MAX,
  withinRoom,
} from "./recorded-events.ts";

/** While a transaction is flushed to the disk, requests queue: they are read in a few turns, and written together. */
const TURNS_MAX = 8;

type ErrorRow = [id: number, nextSlot: number, userCount: number];

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
    RETURNING "id", "nextSlot", "userCount"`,
  addError: `
    INSERT INTO "TrackedError" ("projectId", "fingerprint", "name", "message", "culprit", "platform", "level",
      "searchText", "status", "firstSeenAt", "lastSeenAt", "eventCount", "userCount", "nextSlot")
    VALUES (:projectId, :fingerprint, :name, :message, :culprit, :platform, :level,
      :searchText, 'unresolved', :firstAt, :lastAt, :count, 0, :count % ${EVENTS_KEPT})
    RETURNING "id", "nextSlot", "userCount"`,
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
  const totals = totalsOf(group.filter((_, at) => taken[at]));
  for (const error of fitted(statements, totals.errors)) recordError(statements, error);
  for (const { hour, ...total } of totals.ingest)
    statements.countIngest.run({ hour: timeText(hour), ...total });
  return taken;
}

function fitted(statements: Statements, errors: readonly ErrorTotals[]): readonly ErrorTotals[] {
  const strange = new Set(
    errors.filter(({ projectId, head }) => statements.known.get(projectId, head.fingerprint) === undefined),
  );
  if (strange.size === 0) return errors;
  const room = new Map<number, number>();
  for (const { projectId } of strange)
    if (!room.has(projectId)) room.set(projectId, (statements.room.get(projectId) as [number])[0]);
  return withinRoom(errors, (error) => !strange.has(error), room);
}

function recordError(statements: Statements, error: ErrorTotals): void {
  const { projectId, head, count } = error;
  const lastAt = timeText(error.lastAt);
  const key = { projectId, fingerprint: head.fingerprint, count, lastAt };
  const row = (statements.countError.get(key) ??
    statements.addError.get({ ...head, ...key, firstAt: timeText(error.firstAt) })) as ErrorRow;
  const [errorId, nextSlot, userCount] = row;
  for (const { slot, event, receivedAt } of slotsOf(error, nextSlot)) {
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
