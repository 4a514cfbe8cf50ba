import { countingWindows } from "@/kernel/rate-limit/counting-windows";

/** The number of events that are stored for each tracked error. Newer events replace older events. */
export const EVENTS_KEPT = 50;

/**
 * The maximum number of tracked errors in a project. The events of all additional errors are counted in one
 * overflow error (decision 13).
 */
export const ERRORS_MAX = 10_000;

/**
 * The limits of one tracked error: the maximum number of environments and of releases, and the maximum number
 * of counted users.
 */
export const FACET_VALUES_MAX = 50;
export const USERS_MAX = 1_000;

/** The maximum value of a count, which is the maximum of PostgreSQL's `integer`. */
export const COUNT_MAX = 2_147_483_647;

/** The fingerprint of a tracked error and the columns that describe it. */
export type ErrorHead = Readonly<{
  fingerprint: string;
  name: string;
  message: string;
  culprit: string;
  platform: string;
  level: string;
  searchText: string;
}>;

/** An event that is written to the database. `payload` is serialized JSON. */
export type RecordedEvent = ErrorHead &
  Readonly<{
    eventId: string;
    occurredAt: Date;
    environment: string;
    release: string;
    userDigest: string | null;
    payload: string;
  }>;

/** The limits of a client key and its project. A limit of 0 means unlimited. */
export type IngestLimits = Readonly<{
  keyId: number;
  /**
   * The maximum number of new tracked errors that the client key may add to its project per hour, in each
   * process.
   */
  newErrorsPerHour: number;
  /**
   * The maximum number of payload bytes that the project may store. If the project exceeds this limit, the
   * oldest events are removed.
   */
  storedBytesMax: number;
}>;

/** The events that one request reported to a project, and its dropped items by category and reason. */
export type RecordedEvents = Readonly<{
  projectId: number;
  /** The limits of the client key; null for requests without events. */
  limits?: IngestLimits | null;
  receivedAt: Date;
  events: readonly RecordedEvent[];
  dropped: readonly Readonly<{ outcome: string; category: string; count: number }>[];
}>;

/**
 * Returns the overflow error of a project, which counts the events of new tracked errors after the project
 * has reached `ERRORS_MAX`.
 */
export const OVERFLOW: ErrorHead = {
  fingerprint: "overflow",
  name: "Too many different errors",
  message: `This project has ${ERRORS_MAX} errors, which is the maximum. This entry counts the events of all further errors.`,
  culprit: "",
  platform: "",
  level: "error",
  searchText: "too many different errors",
};

type StoredEvent = Readonly<{ event: RecordedEvent; receivedAt: Date }>;

/** The sum of the events of one tracked error in one batch. */
export type ErrorTotals = {
  readonly projectId: number;
  /**
   * The limits of the client key that reported the first event of this tracked error in the batch; null if
   * there are no limits.
   */
  readonly limits: IngestLimits | null;
  readonly head: ErrorHead;
  readonly firstAt: Date;
  lastAt: Date;
  count: number;
  /** The events, oldest first. */
  newestEvents: StoredEvent[];
  /** The number of events for each kind (environment or release) and value. */
  readonly facets: Map<string, { kind: string; value: string; count: number }>;
  /** The number of events for each hour, by the start of the hour in milliseconds. */
  readonly hours: Map<number, number>;
  readonly users: Set<string>;
};

export type IngestTotal = { projectId: number; hour: Date; outcome: string; category: string; count: number };

/**
 * Returns the result of each request of a committed group: false if the project of the request does not exist. The
 * result of the first stored request contains the ingest counts of the whole group, and the other results are empty.
 * @param accepted for each request, whether its project exists.
 */
export function resultsOf(
  accepted: readonly boolean[],
  counts: readonly IngestTotal[],
): readonly (readonly IngestTotal[] | false)[] {
  const first = accepted.indexOf(true);
  return accepted.map((isStored, at) => isStored && (at === first ? counts : []));
}

export type Totals = Readonly<{ errors: ErrorTotals[]; ingest: readonly IngestTotal[] }>;

/** The number of new tracked errors that each client key has added in the current hour. */
const newErrors = countingWindows("new errors", 3_600_000);

/** Adds up the events of several requests by tracked error. */
export function totalsOf(group: readonly RecordedEvents[]): Totals {
  const errors = new Map<string, ErrorTotals>();
  const ingest = new Map<string, IngestTotal>();
  for (const { projectId, limits = null, receivedAt, events, dropped } of group) {
    for (const event of events) {
      const key = `${projectId} ${event.fingerprint}`;
      const totals = errors.get(key) ?? newTotals(projectId, limits, event, receivedAt);
      errors.set(key, totals);
      addEvent(totals, event, receivedAt);
    }
    const hour = new Date(hourOf(receivedAt));
    if (events.length > 0)
      countIngest(ingest, { projectId, hour, outcome: "accepted", category: "error", count: events.length });
    for (const drop of dropped) countIngest(ingest, { projectId, hour, ...drop });
  }
  return { errors: [...errors.values()].sort(byProjectAndFingerprint), ingest: [...ingest.values()] };
}

/**
 * Removes the new tracked errors that exceed the hourly limit of their client key.
 * @param isKnown returns whether a tracked error is already stored.
 * @returns the remaining tracked errors, and the ingest counts. The events of the removed tracked errors
 * count as `new_errors`.
 */
export function withinHourlyLimit(
  { errors, ingest }: Totals,
  isKnown: (error: ErrorTotals) => boolean,
): Totals {
  const excess = errors.filter((error) => !isKnown(error) && !isWithinHourlyLimit(error));
  if (excess.length === 0) return { errors, ingest };
  const counted = new Map<string, IngestTotal>();
  for (const total of ingest) countIngest(counted, total);
  for (const { projectId, hours } of excess)
    for (const [hour, count] of hours) {
      const total = { projectId, hour: new Date(hour), category: "error" };
      countIngest(counted, { ...total, outcome: "accepted", count: -count });
      countIngest(counted, { ...total, outcome: "new_errors", count });
    }
  return {
    errors: errors.filter((error) => !excess.includes(error)),
    ingest: [...counted.values()].filter(({ count }) => count > 0),
  };
}

function isWithinHourlyLimit({ limits, firstAt }: ErrorTotals): boolean {
  if (limits === null || limits.newErrorsPerHour === 0) return true;
  const window = newErrors.current(limits.keyId, firstAt);
  if (window.count >= limits.newErrorsPerHour) return false;
  window.count += 1;
  return true;
}

/**
 * A change of the number of stored bytes of a project. `storedBytesMax` is the limit of the project; 0 means
 * unlimited.
 */
export type StoredChange = { readonly projectId: number; readonly storedBytesMax: number; bytes: number };

/** Returns for each project the number of written bytes minus the number of overwritten bytes. */
export function storedChanges(
  written: readonly Readonly<{ error: ErrorTotals; bytes: number; replacedBytes: number }>[],
): readonly StoredChange[] {
  const changes = new Map<number, StoredChange>();
  for (const { error, bytes, replacedBytes } of written) {
    const { projectId, limits } = error;
    const change = changes.get(projectId) ?? {
      projectId,
      storedBytesMax: limits?.storedBytesMax ?? 0,
      bytes: 0,
    };
    change.bytes += bytes - replacedBytes;
    changes.set(projectId, change);
  }
  return [...changes.values()].sort((a, b) => a.projectId - b.projectId);
}

/**
 * Returns the number of bytes that must be removed so that a project uses 90 % of its storage limit. If the
 * project does not exceed its storage limit, the function returns 0.
 */
export const bytesToRemove = (storedBytes: number, storedBytesMax: number): number =>
  storedBytesMax === 0 || storedBytes <= storedBytesMax ? 0 : storedBytes - Math.floor(storedBytesMax * 0.9);

/** Returns the ingest count for events that were removed because the storage was full. */
export const removedTotal = (projectId: number, at: Date, count: number): IngestTotal => ({
  projectId,
  hour: new Date(hourOf(at)),
  outcome: "storage",
  category: "error",
  count,
});

/**
 * Merges the new tracked errors that exceed the limit of a project into the overflow error of the project.
 * @param isKnown returns whether a tracked error is already stored.
 * @param remaining the number of tracked errors that each project may still add, by project id.
 */
export function withinProjectLimit(
  errors: readonly ErrorTotals[],
  isKnown: (error: ErrorTotals) => boolean,
  remaining: ReadonlyMap<number, number>,
): ErrorTotals[] {
  const left = new Map(remaining);
  const overflowing = new Map<number, ErrorTotals>();
  const within = errors.filter((error) => {
    const { projectId } = error;
    if (isKnown(error)) return true;
    const most = left.get(projectId) ?? 0;
    left.set(projectId, most - 1);
    if (most > 0) return true;
    const target = overflowing.get(projectId) ?? newTotals(projectId, error.limits, OVERFLOW, error.firstAt);
    overflowing.set(projectId, mergeInto(target, error));
    return false;
  });
  return [...within, ...overflowing.values()].sort(byProjectAndFingerprint);
}

function mergeInto(target: ErrorTotals, source: ErrorTotals): ErrorTotals {
  target.count += source.count;
  if (source.lastAt > target.lastAt) target.lastAt = source.lastAt;
  target.newestEvents = [...target.newestEvents, ...source.newestEvents].slice(-EVENTS_KEPT);
  for (const { kind, value, count } of source.facets.values()) countFacet(target, kind, value, count);
  for (const [hour, count] of source.hours) target.hours.set(hour, (target.hours.get(hour) ?? 0) + count);
  for (const user of source.users) if (target.users.size < USERS_MAX) target.users.add(user);
  return target;
}

const newTotals = (
  projectId: number,
  limits: IngestLimits | null,
  head: ErrorHead,
  firstAt: Date,
): ErrorTotals => ({
  projectId,
  limits,
  head,
  firstAt,
  lastAt: firstAt,
  count: 0,
  newestEvents: [],
  facets: new Map(),
  hours: new Map(),
  users: new Set(),
});

function addEvent(totals: ErrorTotals, event: RecordedEvent, receivedAt: Date): void {
  totals.count += 1;
  if (receivedAt > totals.lastAt) totals.lastAt = receivedAt;
  totals.newestEvents.push({ event, receivedAt });
  if (totals.newestEvents.length > 2 * EVENTS_KEPT)
    totals.newestEvents = totals.newestEvents.slice(-EVENTS_KEPT);
  for (const kind of ["environment", "release"] as const) countFacet(totals, kind, event[kind], 1);
  const hour = hourOf(receivedAt);
  totals.hours.set(hour, (totals.hours.get(hour) ?? 0) + 1);
  if (event.userDigest !== null && totals.users.size < USERS_MAX) totals.users.add(event.userDigest);
}

function countFacet({ facets }: ErrorTotals, kind: string, value: string, count: number): void {
  if (value === "") return;
  const key = `${kind} ${value}`;
  const facet = facets.get(key);
  if (facet !== undefined) facet.count += count;
  else if (facets.size < 2 * FACET_VALUES_MAX) facets.set(key, { kind, value, count });
}

function countIngest(ingest: Map<string, IngestTotal>, total: IngestTotal): void {
  const key = `${total.projectId} ${total.hour.getTime()} ${total.outcome} ${total.category}`;
  const existing = ingest.get(key);
  // A request may report millions of dropped items. If the sum of dropped items was too large for the column,
  // the statement for the whole batch would fail.
  const count = Math.min((existing?.count ?? 0) + total.count, COUNT_MAX);
  if (existing === undefined) ingest.set(key, { ...total, count });
  else existing.count = count;
}

const hourOf = (time: Date): number => Math.floor(time.getTime() / 3_600_000) * 3_600_000;

/**
 * The order in which every process locks rows: by project, then by fingerprint. The common order prevents
 * deadlocks.
 */
const byProjectAndFingerprint = (a: ErrorTotals, b: ErrorTotals): number =>
  a.projectId - b.projectId || (a.head.fingerprint < b.head.fingerprint ? -1 : 1);

/**
 * Returns the newest events with the slots of the ring buffer in which they are stored.
 * @param nextSlot the slot after the slot of the newest event.
 */
export function slotsOf(
  { newestEvents }: ErrorTotals,
  nextSlot: number,
): readonly Readonly<{ slot: number; event: RecordedEvent; receivedAt: Date }>[] {
  const newest = newestEvents.slice(-EVENTS_KEPT);
  return newest.map(({ event, receivedAt }, at) => ({
    slot: (nextSlot - newest.length + at + EVENTS_KEPT) % EVENTS_KEPT,
    event,
    receivedAt,
  }));
}
