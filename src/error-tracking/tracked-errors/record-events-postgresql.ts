import type { PostgresqlSession } from "@/kernel/db/prepared";
import * as sql from "./record-events-postgresql-statements";
import {
  bytesToRemove,
  type ErrorTotals,
  EVENTS_KEPT,
  type IngestTotal,
  type RecordedEvents,
  removedTotal,
  resultsOf,
  slotsOf,
  storedChanges,
  type Totals,
  totalsOf,
  USERS_MAX,
  withinHourlyLimit,
  withinProjectLimit,
} from "./recorded-events";

/**
 * Stores the events of a batch of requests with a few SQL statements. The caller has already added up the
 * events by tracked error.
 * @returns the result of each request, as `resultsOf` does.
 */
export async function recordGroup(
  session: PostgresqlSession,
  group: readonly RecordedEvents[],
): Promise<ReturnType<typeof resultsOf>> {
  const projectIds = [...new Set(group.map(({ projectId }) => projectId))];
  const projects = new Set((await session.all(sql.LOCK_PROJECTS, { projectIds })).map(({ id }) => id));
  const accepted = group.map(({ projectId }) => projects.has(projectId));
  const totals = totalsOf(group.filter((_, at) => accepted[at]));
  const { stored, ingest } =
    totals.errors.length > 0 ? await recordErrors(session, totals) : { stored: [], ingest: totals.ingest };
  const now = group[0]?.receivedAt ?? new Date(0);
  const counted = [...ingest, ...(await changeStored(session, stored, now))];
  if (counted.length > 0) await countIngest(session, counted);
  return resultsOf(accepted, counted);
}

const keyOf = (projectId: number, fingerprint: string): string => `${projectId} ${fingerprint}`;
const errorKey = ({ projectId, head }: ErrorTotals): string => keyOf(projectId, head.fingerprint);

type Stored = Readonly<{ error: ErrorTotals }> &
  Pick<sql.ErrorRow, "id" | "nextSlot" | "userCount" | "eventCount">;
type Written = Readonly<{ error: ErrorTotals; bytes: number; replacedBytes: number }>;

async function recordErrors(
  session: PostgresqlSession,
  totals: Totals,
): Promise<Readonly<{ stored: readonly Written[]; ingest: Totals["ingest"] }>> {
  const { stored, ingest } = await storeErrors(session, totals);
  if (stored.length === 0) return { stored: [], ingest };
  const written = await putEvents(session, stored);
  await countFacets(session, stored);
  await countHours(session, stored);
  await addUsers(session, stored);
  return { stored: written, ingest };
}

/**
 * Updates the stored bytes of each project and removes the oldest events of projects that exceed their
 * storage limit.
 */
async function changeStored(
  session: PostgresqlSession,
  written: readonly Written[],
  now: Date,
): Promise<readonly IngestTotal[]> {
  const changes = storedChanges(written).filter(({ bytes }) => bytes !== 0);
  if (changes.length === 0) return [];
  const change = (all: readonly Readonly<{ projectId: number; bytes: number }>[]) =>
    session.all(sql.CHANGE_STORED, {
      projectIds: all.map(({ projectId }) => projectId),
      bytes: all.map(({ bytes }) => bytes),
    });
  const rows = await change(changes);
  const stored = new Map(rows.map(({ projectId, storedBytes }) => [projectId, storedBytes]));
  const removals: IngestTotal[] = [];
  for (const { projectId, storedBytesMax } of changes) {
    const excess = bytesToRemove(stored.get(projectId) ?? 0, storedBytesMax);
    if (excess === 0) continue;
    const [removed] = await session.all(sql.REMOVE_OLDEST, { projectId, bytes: excess });
    await change([{ projectId, bytes: -(removed?.bytes ?? 0) }]);
    removals.push(removedTotal(projectId, now, removed?.events ?? 0));
  }
  return removals;
}

async function storeErrors(
  session: PostgresqlSession,
  totals: Totals,
): Promise<Readonly<{ stored: readonly Stored[]; ingest: Totals["ingest"] }>> {
  let errorIds = await findErrorIds(session, totals.errors);
  const isKnown = (error: ErrorTotals): boolean => errorIds.has(errorKey(error));
  const within = withinHourlyLimit(totals, isKnown);
  let errors = within.errors;
  const newErrors = errors.filter((error) => !isKnown(error));
  if (newErrors.length > 0) {
    const projectIds = [...new Set(newErrors.map(({ projectId }) => projectId))];
    const rows = await session.all(sql.COUNT_ROOM, { projectIds });
    const remaining = new Map(rows.map((row) => [row.projectId, row.errors]));
    const limited = withinProjectLimit(errors, isKnown, remaining);
    const overflowing = limited.filter((error) => !within.errors.includes(error));
    errors = limited;
    if (overflowing.length > 0)
      errorIds = new Map([...errorIds, ...(await findErrorIds(session, overflowing))]);
  }
  const byKey = new Map(errors.map((error) => [errorKey(error), error]));
  const rows = [
    ...(await countErrors(session, errors, errorIds)),
    ...(await addErrors(
      session,
      errors.filter((error) => !isKnown(error)),
    )),
  ];
  const stored = rows.flatMap(({ projectId, fingerprint, id, nextSlot, userCount, eventCount }) => {
    const error = byKey.get(keyOf(projectId, fingerprint));
    return error === undefined ? [] : [{ error, id, nextSlot, userCount, eventCount }];
  });
  return { stored, ingest: within.ingest };
}

async function findErrorIds(
  session: PostgresqlSession,
  errors: readonly ErrorTotals[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await session.all(sql.FIND_ERRORS, {
    projectIds: errors.map(({ projectId }) => projectId),
    fingerprints: errors.map(({ head }) => head.fingerprint),
  });
  return new Map(rows.map(({ id, projectId, fingerprint }) => [keyOf(projectId, fingerprint), id]));
}

async function countErrors(
  session: PostgresqlSession,
  errors: readonly ErrorTotals[],
  errorIds: ReadonlyMap<string, number>,
): Promise<readonly sql.ErrorRow[]> {
  const stored = errors.flatMap((error) => {
    const id = errorIds.get(errorKey(error));
    return id === undefined ? [] : [{ id, error }];
  });
  if (stored.length === 0) return [];
  return session.all(sql.COUNT_ERRORS, {
    ids: stored.map(({ id }) => id),
    counts: stored.map(({ error }) => error.count),
    lastAts: stored.map(({ error }) => error.lastAt),
  });
}

async function addErrors(
  session: PostgresqlSession,
  errors: readonly ErrorTotals[],
): Promise<readonly sql.ErrorRow[]> {
  if (errors.length === 0) return [];
  const heads = errors.map(({ head }) => head);
  return session.all(sql.ADD_ERRORS, {
    projectIds: errors.map(({ projectId }) => projectId),
    fingerprints: heads.map(({ fingerprint }) => fingerprint),
    names: heads.map(({ name }) => name),
    messages: heads.map(({ message }) => message),
    culprits: heads.map(({ culprit }) => culprit),
    platforms: heads.map(({ platform }) => platform),
    levels: heads.map(({ level }) => level),
    searchTexts: heads.map(({ searchText }) => searchText),
    firstAts: errors.map(({ firstAt }) => firstAt),
    lastAts: errors.map(({ lastAt }) => lastAt),
    counts: errors.map(({ count }) => count),
  });
}

async function putEvents(session: PostgresqlSession, stored: readonly Stored[]): Promise<readonly Written[]> {
  const rows = stored.flatMap(({ error, id, nextSlot }) =>
    slotsOf(error, nextSlot).map((slot) => ({ ...slot, id })),
  );
  const full = new Set(stored.filter(({ eventCount }) => eventCount > EVENTS_KEPT).map(({ id }) => id));
  const replaced = await bytesIn(
    session,
    rows.filter(({ id }) => full.has(id)),
  );
  await session.run(sql.PUT_EVENTS, {
    errorIds: rows.map(({ id }) => id),
    slots: rows.map(({ slot }) => slot),
    eventIds: rows.map(({ event }) => event.eventId),
    occurredAts: rows.map(({ event }) => event.occurredAt),
    receivedAts: rows.map(({ receivedAt }) => receivedAt),
    levels: rows.map(({ event }) => event.level),
    environments: rows.map(({ event }) => event.environment),
    releases: rows.map(({ event }) => event.release),
    payloads: rows.map(({ event }) => event.payload),
  });
  const bytes = new Map<number, number>();
  for (const { id, event } of rows) bytes.set(id, (bytes.get(id) ?? 0) + Buffer.byteLength(event.payload));
  return stored.map(({ error, id }) => ({
    error,
    bytes: bytes.get(id) ?? 0,
    replacedBytes: replaced.get(id) ?? 0,
  }));
}

/** Returns the number of stored bytes in the given slots of the ring buffers, by tracked error. */
async function bytesIn(
  session: PostgresqlSession,
  slots: readonly Readonly<{ id: number; slot: number }>[],
): Promise<ReadonlyMap<number, number>> {
  if (slots.length === 0) return new Map();
  const rows = await session.all(sql.BYTES_IN, {
    errorIds: slots.map(({ id }) => id),
    slots: slots.map(({ slot }) => slot),
  });
  return new Map(rows.map(({ errorId, bytes }) => [errorId, bytes]));
}

async function countFacets(session: PostgresqlSession, stored: readonly Stored[]): Promise<void> {
  const rows = stored.flatMap(({ error, id }) =>
    [...error.facets.values()].map((facet) => ({ ...facet, id, at: error.lastAt })),
  );
  if (rows.length === 0) return;
  await session.run(sql.COUNT_FACETS, {
    errorIds: rows.map(({ id }) => id),
    kinds: rows.map(({ kind }) => kind),
    values: rows.map(({ value }) => value),
    counts: rows.map(({ count }) => count),
    ats: rows.map(({ at }) => at),
  });
}

async function countHours(session: PostgresqlSession, stored: readonly Stored[]): Promise<void> {
  const rows = stored.flatMap(({ error, id }) =>
    [...error.hours].map(([hour, count]) => ({ id, hour: new Date(hour), count })),
  );
  await session.run(sql.COUNT_HOURS, {
    errorIds: rows.map(({ id }) => id),
    hours: rows.map(({ hour }) => hour),
    counts: rows.map(({ count }) => count),
  });
}

async function addUsers(session: PostgresqlSession, stored: readonly Stored[]): Promise<void> {
  const rows = stored.flatMap(({ error, id, userCount }) =>
    [...error.users].slice(0, Math.max(0, USERS_MAX - userCount)).map((user) => ({ id, user })),
  );
  if (rows.length === 0) return;
  await session.run(sql.ADD_USERS, {
    errorIds: rows.map(({ id }) => id),
    digests: rows.map(({ user }) => user),
  });
}

async function countIngest(session: PostgresqlSession, ingest: readonly IngestTotal[]): Promise<void> {
  await session.run(sql.COUNT_INGEST, {
    projectIds: ingest.map(({ projectId }) => projectId),
    hours: ingest.map(({ hour }) => hour),
    outcomes: ingest.map(({ outcome }) => outcome),
    categories: ingest.map(({ category }) => category),
    counts: ingest.map(({ count }) => count),
  });
}
