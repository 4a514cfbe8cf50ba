import { createHash, createHmac } from "node:crypto";
import type { Deps } from "@/kernel/deps/deps";
import { count } from "@/kernel/metrics/metrics";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { type EventPayload, LEVELS, type Level, readEvent } from "./event";
import { groupingOf } from "./grouping";
import type { IngestLimits, RecordedEvent, RecordedEvents } from "./recorded-events";
import {
  type ErrorSort,
  type ErrorStatus,
  NO_PAYLOAD,
  occurredAt,
  type ProjectId,
  type Range,
  searchTextOf,
  spansOf,
  storedPayload,
  titleOf,
} from "./rules";
import * as store from "./store";
import {
  findError,
  ingestByHour,
  latestChange,
  listEvents,
  listFacets,
  listHours,
  listIngestCounts,
  recordEvents,
} from "./store.sql";

/** An event as parsed JSON, with the event ID of the response. */
export type SentEvent = Readonly<{ eventId: string; body: Readonly<Record<string, unknown>> }>;

/** Items that the server received but did not store, by category and reason. */
export type Drop = RecordedEvents["dropped"][number];

/**
 * Stores events, groups them into tracked errors, and counts dropped items. When the promise resolves, all
 * changes are committed and visible. Without `limits`, the number of new tracked errors and of stored bytes
 * is not limited.
 * @returns false if the project no longer exists.
 */
export async function ingest(
  deps: Deps,
  project: ProjectId,
  report: Readonly<{ events: readonly SentEvent[]; dropped: readonly Drop[]; limits?: IngestLimits }>,
): Promise<boolean> {
  const { events, dropped, limits = null } = report;
  if (events.length === 0 && dropped.length === 0) return true;
  const receivedAt = deps.clock();
  const counts = await recordEvents(deps.prepared, {
    projectId: project.id,
    limits,
    receivedAt,
    events: events.map((event) => recordedEvent(deps, project, event, receivedAt)),
    dropped,
  });
  if (counts === false) return false;
  for (const { category, outcome, count: items } of counts)
    if (category === "error" && outcome === "accepted")
      count("gatehouse_error_events_received_total", {}, items);
    else if (category === "error") count("gatehouse_error_events_dropped_total", { reason: outcome }, items);
  return true;
}

function recordedEvent(
  deps: Deps,
  project: ProjectId,
  { eventId, body }: SentEvent,
  receivedAt: Date,
): RecordedEvent {
  const event = readEvent(body);
  const title = titleOf(event);
  return {
    fingerprint: createHash("sha256")
      .update(JSON.stringify(groupingOf(event)))
      .digest("hex"),
    platform: event.platform,
    level: event.level,
    searchText: searchTextOf(title),
    eventId,
    occurredAt: occurredAt(event, receivedAt),
    environment: event.environment,
    release: event.release,
    userDigest: event.user === null ? null : userDigest(deps, project, event.user),
    payload: storedPayload(event.payload),
    ...title,
  };
}

/**
 * Returns a keyed digest of a user. The digest of the same user is different in each project. Without the
 * secret key, anyone who can read the database could compute the digests of all IP addresses.
 */
const userDigest = ({ keys }: Deps, project: ProjectId, user: string): string =>
  createHmac("sha256", keys.reportedUser).update(`${project.id} ${user}`).digest("base64url");

/**
 * A tracked error, which represents all events with the same fingerprint. Users set `status`, and the program
 * sets `level`.
 */
export type TrackedError = Readonly<
  Omit<store.ErrorRow, "status" | "level"> & { status: ErrorStatus; level: Level }
>;

const trackedError = (row: store.ErrorRow): TrackedError => ({
  ...row,
  status: row.status as ErrorStatus,
  level: LEVELS.find((level) => level === row.level) ?? "error",
});

export type ErrorListInput = Readonly<{
  /**
   * The status of the tracked errors; null for any status. The pages and the API use `unresolved` by default.
   */
  status: ErrorStatus | null;
  /** The environment in which the tracked errors occurred. */
  environment: string | null;
  /** A part of the name, the message or the culprit of the tracked errors, ignoring case. */
  query: string | null;
  sort: ErrorSort;
  /** The page number, which starts at 1. */
  page: number;
  perPage: number;
}>;

/**
 * Returns a page of the tracked errors of a project and their total number. The number of tracked errors is
 * limited, so counting is fast.
 */
export async function listErrors(
  deps: Deps,
  project: AuthorizedProject,
  { sort, page, perPage, ...input }: ErrorListInput,
): Promise<Readonly<{ errors: readonly TrackedError[]; total: number }>> {
  const filter = filterFrom(input);
  const [rows, total] = await Promise.all([
    store.errors(deps, project, filter, { sort, skip: (page - 1) * perPage, take: perPage }),
    store.countErrors(deps, project, filter),
  ]);
  return { errors: rows.map(trackedError), total };
}

type ErrorFilterInput = Pick<ErrorListInput, keyof store.ErrorFilter>;

/** Returns the number of tracked errors of a project that match a filter. */
export const countErrors = (
  deps: Deps,
  project: AuthorizedProject,
  input: ErrorFilterInput,
): Promise<number> => store.countErrors(deps, project, filterFrom(input));

/** Converts the filter of a list into the form that the store expects. */
export const filterFrom = (input: ErrorFilterInput): store.ErrorFilter => ({
  status: input.status,
  environment: plain(input.environment),
  query: plain(input.query)?.toLowerCase() ?? null,
});

/** Removes U+0000, which PostgreSQL rejects, and spaces at both ends; null for an empty text. */
const plain = (text: string | null): string | null => text?.replaceAll("\0", "").trim() || null;

/** An environment or release in which a tracked error occurred, with its counts. */
export type Facet = Readonly<{ value: string; eventCount: number; firstSeenAt: Date; lastSeenAt: Date }>;

export type ErrorDetails = TrackedError &
  Readonly<{ environments: readonly Facet[]; releases: readonly Facet[] }>;

/**
 * Returns a tracked error of the project with its environments and releases; null if the project has no
 * tracked error with this id.
 */
export async function findTrackedError(
  deps: Deps,
  project: AuthorizedProject,
  errorId: number,
): Promise<ErrorDetails | null> {
  const row = await findError(deps.reads, project.id, errorId);
  if (row === null) return null;
  const facets = await listFacets(deps.reads, errorId);
  const ofKind = (wanted: string): readonly Facet[] =>
    facets.flatMap(({ kind, ...facet }) => (kind === wanted ? [facet] : []));
  return { ...trackedError(row), environments: ofKind("environment"), releases: ofKind("release") };
}

/**
 * Sets the status of a tracked error. A resolved tracked error becomes unresolved when it occurs again.
 * @returns the changed tracked error; null if the project has no tracked error with this id.
 */
export async function setErrorStatus(
  deps: Deps,
  project: AuthorizedProject,
  errorId: number,
  status: ErrorStatus,
): Promise<ErrorDetails | null> {
  const exists = await store.setStatus(deps.db, project, errorId, status, deps.clock());
  return exists ? findTrackedError(deps, project, errorId) : null;
}

export type StoredEvent = Readonly<{
  /** The event ID as 32 hexadecimal digits. */
  eventId: string;
  occurredAt: Date;
  receivedAt: Date;
  level: Level;
  environment: string;
  release: string;
  payload: EventPayload;
}>;

/**
 * Returns the stored events of a tracked error, newest first; null if the project has no tracked error with
 * this id.
 */
export async function errorEvents(
  deps: Deps,
  project: AuthorizedProject,
  errorId: number,
): Promise<readonly StoredEvent[] | null> {
  const rows = await listEvents(deps.reads, project, errorId);
  return (
    rows?.map(({ slot: _, payload, level, ...event }) => ({
      ...event,
      level: LEVELS.find((value) => value === level) ?? "error",
      // Only `storedPayload` writes payloads, so the JSON is valid. If an older version of Gatehouse did not
      // store a field, the field gets its empty value.
      payload: { ...NO_PAYLOAD, ...(JSON.parse(payload) as Partial<EventPayload>) },
    })) ?? null
  );
}

/** The number of events in the hour or day that starts at `from`. */
export type Point = Readonly<{ from: Date; count: number }>;

/**
 * Returns the event counts of tracked errors over time: the last 24 hours by hour, or the last 14 days by
 * day. The counts are in order from oldest to newest, and hours and days without events count 0.
 * @returns a map from the ids of the tracked errors to their event counts. The map omits tracked errors of
 * other projects.
 */
export async function countsOverTime(
  deps: Deps,
  project: AuthorizedProject,
  errorIds: readonly number[],
  range: Range,
): Promise<ReadonlyMap<number, readonly Point[]>> {
  const spans = spansOf(range, deps.clock());
  const since = spans[0]?.from;
  if (since === undefined || errorIds.length === 0) return new Map();
  const rows = await listHours(deps.reads, project, { errorIds, since });
  return new Map(
    [...rows].map(([id, hours]) => [
      id,
      spans.map(({ from, until }) => ({
        from,
        count: hours.reduce(
          (sum, { hour, eventCount }) => sum + (hour >= from && hour < until ? eventCount : 0),
          0,
        ),
      })),
    ]),
  );
}

/**
 * Returns the ingest counts of a project: the number of `accepted` events, and the number of dropped items by
 * reason and category.
 */
export async function ingestCounts(
  deps: Deps,
  project: AuthorizedProject,
  range: Range,
): Promise<readonly Drop[]> {
  const since = spansOf(range, deps.clock())[0]?.from ?? deps.clock();
  return (await listIngestCounts(deps.reads, project, since)).toSorted((a, b) => b.count - a.count);
}

/**
 * The number of error events in an hour that were stored (`accepted`), or that were dropped by a limit or by
 * a client.
 */
export type ReceivedEvents = Readonly<{ hour: Date; accepted: boolean; count: number }>;

/** Returns the number of error events that all projects received since a time, for administrators. */
export async function receivedEvents(deps: Deps, since: Date): Promise<readonly ReceivedEvents[]> {
  const rows = await ingestByHour(deps.reads, since);
  return rows.map(({ hour, outcome, count }) => ({ hour, accepted: outcome === "accepted", count }));
}

/**
 * Sets the status of several tracked errors of the project. Ids of other projects are ignored.
 * @returns the number of tracked errors whose status has changed.
 */
export const setErrorStatuses = (
  deps: Deps,
  project: AuthorizedProject,
  errorIds: readonly number[],
  status: ErrorStatus,
): Promise<number> =>
  errorIds.length === 0
    ? Promise.resolve(0)
    : store.setStatuses(deps.db, project, errorIds, status, deps.clock());

/** Returns a text that changes when the list of the tracked errors of the project changes. */
export async function listVersion(deps: Deps, project: AuthorizedProject): Promise<string> {
  const change = await latestChange(deps.reads, project);
  const times = [change?.lastSeenAt?.getTime(), change?.statusChangedAt?.getTime()];
  return [change?.errorCount, change?.eventCount, ...times].join("-");
}

/** A tracked error that was reported for the first time, or again after it was resolved. */
export type AppearedError = Readonly<{
  id: number;
  projectId: number;
  firstSeenAt: Date;
  regressedAt: Date | null;
}>;

const APPEARED_MAX = 500;

/**
 * Returns at most `APPEARED_MAX` tracked errors, of all projects, that were created or have regressed since
 * the given time.
 */
export const errorsAppearedSince = (deps: Pick<Deps, "db">, since: Date): Promise<readonly AppearedError[]> =>
  store.listAppeared(deps.db, since, APPEARED_MAX);

/**
 * Returns a tracked error without its environments and releases. Jobs of the server call this function, so it
 * does not check whether a user may read the tracked error.
 */
export async function findErrorSummary(
  deps: Pick<Deps, "reads">,
  projectId: number,
  errorId: number,
): Promise<TrackedError | null> {
  const row = await findError(deps.reads, projectId, errorId);
  return row && trackedError(row);
}
