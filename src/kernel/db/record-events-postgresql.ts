import type pg from "pg";
import { isUnavailable } from "./errors.ts";
import type { OpenPool } from "./pools-postgresql.ts";
import { STATEMENTS } from "./record-events-statements.ts";
import {
  bytesToRemove,
  type ErrorTotals,
  EVENTS_KEPT,
  type IngestTotal,
  type RecordedEvents,
  removedTotal,
  slotsOf,
  storedChanges,
  type Totals,
  totalsOf,
  USERS_MAX,
  withinHour,
  withinRoom,
} from "./recorded-events.ts";

/** One transaction at a time: what arrives meanwhile is written together by the next one. */
const CONNECTIONS_MAX = 1;

/** How often a transaction is tried again that another process made fail. */
const TRIES = 4;

/** A deadlock, a failure to serialise, a row that another process added or removed meanwhile. */
const PASSING: ReadonlySet<unknown> = new Set(["40P01", "40001", "23505", "23503"]);

type Waiting = Readonly<{
  events: RecordedEvents;
  resolve: (taken: boolean) => void;
  reject: (cause: unknown) => void;
}>;

/** Recorded events: those of all requests that wait for each other in one transaction of a few statements. */
export function recordEventsPostgresql(openPool: OpenPool): (events: RecordedEvents) => Promise<boolean> {
  const pool = openPool(CONNECTIONS_MAX);
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await settle(pool, group);
    }
    isWriting = false;
  }

  return (events) =>
    new Promise((resolve, reject) => {
      waiting.push({ events, resolve, reject });
      // The requests that arrived together with this one get as far before the turn of the event loop ends.
      if (waiting.length === 1 && !isWriting) setImmediate(writeWaiting);
    });
}

async function settle(pool: pg.Pool, group: readonly Waiting[]): Promise<void> {
  const writes = group.map(({ events }) => events);
  try {
    const taken = await recordGroup(pool, writes);
    for (const [at, { resolve }] of group.entries()) resolve(taken[at] ?? false);
  } catch (cause) {
    // One that cannot be written must not take the others with it.
    if (group.length > 1 && !isUnavailable(cause)) for (const one of group) await settle(pool, [one]);
    else for (const { reject } of group) reject(cause);
  }
}

async function recordGroup(pool: pg.Pool, group: readonly RecordedEvents[]): Promise<readonly boolean[]> {
  for (let tries = 1; ; tries++) {
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      const taken = await recordOn(client, group);
      await client.query("COMMIT");
      client.release();
      return taken;
    } catch (cause) {
      // The connection goes, and with it the transaction.
      client.release(true);
      if (tries >= TRIES || !isPassing(cause)) throw cause;
    }
  }
}

const isPassing = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && PASSING.has(cause.code);

type Run = <Row extends unknown[]>(
  name: keyof typeof STATEMENTS,
  ...values: readonly unknown[]
) => Promise<readonly Row[]>;

async function recordOn(
  client: pg.PoolClient,
  group: readonly RecordedEvents[],
): Promise<readonly boolean[]> {
  const run: Run = async <Row extends unknown[]>(
    name: keyof typeof STATEMENTS,
    ...values: readonly unknown[]
  ) => {
    const query = {
      name: `record_${name}`,
      text: STATEMENTS[name],
      values: [...values],
      rowMode: "array",
    } as const;
    return (await client.query<Row>(query)).rows;
  };
  const ids = [...new Set(group.map(({ projectId }) => projectId))];
  const projects = new Set((await run<[number]>("projects", ids)).map(([id]) => id));
  const taken = group.map(({ projectId }) => projects.has(projectId));
  const totals = totalsOf(group.filter((_, at) => taken[at]));
  const { stored, ingest } =
    totals.errors.length > 0 ? await recordErrors(run, totals) : { stored: [], ingest: totals.ingest };
  const now = group[0]?.receivedAt ?? new Date(0);
  const counted = [...ingest, ...(await changeStored(run, stored, now))];
  if (counted.length > 0) await countIngest(run, counted);
  return taken;
}

const keyOf = (projectId: number, fingerprint: string): string => `${projectId} ${fingerprint}`;
const errorKey = ({ projectId, head }: ErrorTotals): string => keyOf(projectId, head.fingerprint);

type ErrorRow = [
  projectId: number,
  fingerprint: string,
  id: number,
  nextSlot: number,
  userCount: number,
  eventCount: number,
];
type Stored = Readonly<{
  error: ErrorTotals;
  id: number;
  nextSlot: number;
  userCount: number;
  eventCount: number;
}>;
type Written = Readonly<{ error: ErrorTotals; bytes: number; replacedBytes: number }>;

async function recordErrors(
  run: Run,
  totals: Totals,
): Promise<Readonly<{ stored: readonly Written[]; ingest: Totals["ingest"] }>> {
  const { stored, ingest } = await storeErrors(run, totals);
  // Without any error that is kept there is nothing to write.
  if (stored.length === 0) return { stored: [], ingest };
  const written = await putEvents(run, stored);
  await countFacets(run, stored);
  await countHours(run, stored);
  await addUsers(run, stored);
  return { stored: written, ingest };
}

/** Adds to the stored bytes of each project, and removes the oldest events where they are too many. */
async function changeStored(
  run: Run,
  written: readonly Written[],
  now: Date,
): Promise<readonly IngestTotal[]> {
  const changes = storedChanges(written).filter(({ bytes }) => bytes !== 0);
  if (changes.length === 0) return [];
  const change = (all: readonly Readonly<{ projectId: number; bytes: number }>[]) =>
    run<[number, number]>(
      "changeStored",
      all.map(({ projectId }) => projectId),
      all.map(({ bytes }) => bytes),
    );
  const stored = new Map(await change(changes));
  const removals: IngestTotal[] = [];
  for (const { projectId, storedBytesMax } of changes) {
    const excess = bytesToRemove(stored.get(projectId) ?? 0, storedBytesMax);
    if (excess === 0) continue;
    const [[events, bytes] = [0, 0]] = await run<[number, number]>("removeOldest", projectId, excess);
    await change([{ projectId, bytes: -bytes }]);
    removals.push(removedTotal(projectId, now, events));
  }
  return removals;
}

async function storeErrors(
  run: Run,
  asked: Totals,
): Promise<Readonly<{ stored: readonly Stored[]; ingest: Totals["ingest"] }>> {
  let known = await knownOf(run, asked.errors);
  const isKnown = (error: ErrorTotals): boolean => known.has(errorKey(error));
  const within = withinHour(asked, isKnown);
  let errors = within.errors;
  const strange = errors.filter((error) => !isKnown(error));
  if (strange.length > 0) {
    const ids = [...new Set(strange.map(({ projectId }) => projectId))];
    const room = new Map(await run<[number, number]>("room", ids));
    const roomy = withinRoom(errors, isKnown, room);
    const overflowing = roomy.filter((error) => !within.errors.includes(error));
    errors = roomy;
    if (overflowing.length > 0) known = new Map([...known, ...(await knownOf(run, overflowing))]);
  }
  const byKey = new Map(errors.map((error) => [errorKey(error), error]));
  const rows = [
    ...(await countErrors(run, errors, known)),
    ...(await addErrors(
      run,
      errors.filter((error) => !isKnown(error)),
    )),
  ];
  const stored = rows.flatMap(([projectId, fingerprint, id, nextSlot, userCount, eventCount]) => {
    const error = byKey.get(keyOf(projectId, fingerprint));
    return error === undefined ? [] : [{ error, id, nextSlot, userCount, eventCount }];
  });
  return { stored, ingest: within.ingest };
}

async function knownOf(run: Run, errors: readonly ErrorTotals[]): Promise<ReadonlyMap<string, number>> {
  const rows = await run<[number, number, string]>(
    "known",
    errors.map(({ projectId }) => projectId),
    errors.map(({ head }) => head.fingerprint),
  );
  return new Map(rows.map(([id, projectId, fingerprint]) => [keyOf(projectId, fingerprint), id]));
}

async function countErrors(
  run: Run,
  errors: readonly ErrorTotals[],
  known: ReadonlyMap<string, number>,
): Promise<readonly ErrorRow[]> {
  const stored = errors.filter((error) => known.has(errorKey(error)));
  if (stored.length === 0) return [];
  return run<ErrorRow>(
    "countErrors",
    stored.map((error) => known.get(errorKey(error))),
    stored.map(({ count }) => count),
    stored.map(({ lastAt }) => text(lastAt)),
  );
}

async function addErrors(run: Run, errors: readonly ErrorTotals[]): Promise<readonly ErrorRow[]> {
  if (errors.length === 0) return [];
  const heads = errors.map(({ head }) => head);
  return run<ErrorRow>(
    "addErrors",
    errors.map(({ projectId }) => projectId),
    heads.map(({ fingerprint }) => fingerprint),
    heads.map(({ name }) => name),
    heads.map(({ message }) => message),
    heads.map(({ culprit }) => culprit),
    heads.map(({ platform }) => platform),
    heads.map(({ level }) => level),
    heads.map(({ searchText }) => searchText),
    errors.map(({ firstAt }) => text(firstAt)),
    errors.map(({ lastAt }) => text(lastAt)),
    errors.map(({ count }) => count),
  );
}

async function putEvents(run: Run, stored: readonly Stored[]): Promise<readonly Written[]> {
  const rows = stored.flatMap(({ error, id, nextSlot }) =>
    slotsOf(error, nextSlot).map((slot) => ({ ...slot, id })),
  );
  const full = new Set(stored.filter(({ eventCount }) => eventCount > EVENTS_KEPT).map(({ id }) => id));
  const replaced = new Map(
    full.size === 0
      ? []
      : await bytesIn(
          run,
          rows.filter(({ id }) => full.has(id)),
        ),
  );
  await run(
    "putEvents",
    rows.map(({ id }) => id),
    rows.map(({ slot }) => slot),
    rows.map(({ event }) => event.eventId),
    rows.map(({ event }) => text(event.occurredAt)),
    rows.map(({ receivedAt }) => text(receivedAt)),
    rows.map(({ event }) => event.level),
    rows.map(({ event }) => event.environment),
    rows.map(({ event }) => event.release),
    rows.map(({ event }) => event.payload),
  );
  const bytes = new Map<number, number>();
  for (const { id, event } of rows) bytes.set(id, (bytes.get(id) ?? 0) + Buffer.byteLength(event.payload));
  return stored.map(({ error, id }) => ({
    error,
    bytes: bytes.get(id) ?? 0,
    replacedBytes: replaced.get(id) ?? 0,
  }));
}

/** How many bytes each error has in these slots. */
const bytesIn = (run: Run, slots: readonly Readonly<{ id: number; slot: number }>[]) =>
  run<[errorId: number, bytes: number]>(
    "bytesIn",
    slots.map(({ id }) => id),
    slots.map(({ slot }) => slot),
  );

async function countFacets(run: Run, stored: readonly Stored[]): Promise<void> {
  const rows = stored.flatMap(({ error, id }) =>
    [...error.facets.values()].map((facet) => ({ ...facet, id, at: text(error.lastAt) })),
  );
  if (rows.length === 0) return;
  await run(
    "countFacets",
    rows.map(({ id }) => id),
    rows.map(({ kind }) => kind),
    rows.map(({ value }) => value),
    rows.map(({ count }) => count),
    rows.map(({ at }) => at),
  );
}

async function countHours(run: Run, stored: readonly Stored[]): Promise<void> {
  const rows = stored.flatMap(({ error, id }) =>
    [...error.hours].map(([hour, count]) => ({ id, hour: text(new Date(hour)), count })),
  );
  await run(
    "countHours",
    rows.map(({ id }) => id),
    rows.map(({ hour }) => hour),
    rows.map(({ count }) => count),
  );
}

async function addUsers(run: Run, stored: readonly Stored[]): Promise<void> {
  const rows = stored.flatMap(({ error, id, userCount }) =>
    [...error.users].slice(0, Math.max(0, USERS_MAX - userCount)).map((user) => ({ id, user })),
  );
  if (rows.length === 0) return;
  await run(
    "addUsers",
    rows.map(({ id }) => id),
    rows.map(({ user }) => user),
  );
}

async function countIngest(run: Run, ingest: readonly IngestTotal[]): Promise<void> {
  await run(
    "countIngest",
    ingest.map(({ projectId }) => projectId),
    ingest.map(({ hour }) => text(hour)),
    ingest.map(({ outcome }) => outcome),
    ingest.map(({ category }) => category),
    ingest.map(({ count }) => count),
  );
}

/** As text: of a date, the driver would write the time of this machine's zone into a column that holds UTC. */
const text = (time: Date): string => time.toISOString();
