import { createHash, createHmac } from "node:crypto";
import type { Deps } from "@/kernel/deps/deps";
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
import { recordEvents } from "./store.sql";

/** An event that a program has sent, as JSON made it, with the id that the answer tells. */
export type SentEvent = Readonly<{ eventId: string; body: Readonly<Record<string, unknown>> }>;

/** What was sent and not kept: what kind it was, and why. */
export type Drop = RecordedEvents["dropped"][number];

/**
 * Stores events, each with the error that it is one of, and counts what was dropped. When it resolves, all of it is on
 * the disk and can be seen. Without limits, any number of new errors and bytes is stored.
 * @returns false when the project is gone.
 */
export function ingest(
  deps: Deps,
  project: ProjectId,
  sent: Readonly<{ events: readonly SentEvent[]; dropped: readonly Drop[]; limits?: IngestLimits }>,
): Promise<boolean> | boolean {
  const { events, dropped, limits = null } = sent;
  if (events.length === 0 && dropped.length === 0) return true;
  const receivedAt = deps.clock();
  return recordEvents(deps.prepared, {
    projectId: project.id,
    limits,
    receivedAt,
    events: events.map((event) => recordedEvent(deps, project, event, receivedAt)),
    dropped,
  });
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

/** Keyed, and of its project alone: whoever read the database could try all addresses of the network. */
const userDigest = ({ keys }: Deps, project: ProjectId, user: string): string =>
  createHmac("sha256", keys.reportedUser).update(`${project.id} ${user}`).digest("base64url");

/** An error: all events of one fingerprint. `status` is the team's word, `level` the program's. */
export type TrackedError = Readonly<
  Omit<store.ErrorRow, "status" | "level"> & { status: ErrorStatus; level: Level }
>;

const trackedError = (row: store.ErrorRow): TrackedError => ({
  ...row,
  status: row.status as ErrorStatus,
  level: LEVELS.find((level) => level === row.level) ?? "error",
});

export type ErrorListInput = Readonly<{
  /** Null for any; pages and the API begin with `unresolved`. */
  status: ErrorStatus | null;
  /** Only errors seen in this environment. */
  environment: string | null;
  /** Only errors whose name, message or culprit has this in it, whatever the case. */
  query: string | null;
  sort: ErrorSort;
  /** From 1. */
  page: number;
  perPage: number;
}>;

/** A page of a project's errors, and how many there are altogether: they are bounded, so all can be counted. */
export async function listErrors(
  deps: Deps,
  project: AuthorizedProject,
  { status, environment, query, sort, page, perPage }: ErrorListInput,
): Promise<Readonly<{ errors: readonly TrackedError[]; total: number }>> {
  const filter = { status, environment: plain(environment), query: plain(query)?.toLowerCase() ?? null };
  const [rows, total] = await Promise.all([
    store.errors(deps.db, project, filter, { sort, skip: (page - 1) * perPage, take: perPage }),
    store.countErrors(deps.db, project, filter),
  ]);
  return { errors: rows.map(trackedError), total };
}

/** PostgreSQL refuses U+0000 in every text. */
const plain = (text: string | null): string | null => text?.replaceAll("\0", "").trim() || null;

/** Where an error was seen, the most frequent first. */
export type Facet = Readonly<{ value: string; eventCount: number; firstSeenAt: Date; lastSeenAt: Date }>;

export type ErrorDetails = TrackedError &
  Readonly<{ environments: readonly Facet[]; releases: readonly Facet[] }>;

/** One error of the project with its environments and releases; null when the project has none of this id. */
export async function findTrackedError(
  deps: Deps,
  project: AuthorizedProject,
  errorId: number,
): Promise<ErrorDetails | null> {
  const row = await store.error(deps.db, project, errorId);
  if (row === null) return null;
  const facets = await store.facets(deps.db, errorId);
  const ofKind = (wanted: string): readonly Facet[] =>
    facets.flatMap(({ errorId: _, kind, ...facet }) => (kind === wanted ? [facet] : []));
  return { ...trackedError(row), environments: ofKind("environment"), releases: ofKind("release") };
}

/**
 * Says what the team thinks of an error. A resolved one that is seen again becomes unresolved by itself.
 * @returns the error as it is then; null when the project has none of this id.
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
  /** 32 hexadecimal digits. */
  eventId: string;
  occurredAt: Date;
  receivedAt: Date;
  level: Level;
  environment: string;
  release: string;
  payload: EventPayload;
}>;

/** The events of an error that are kept, the newest first; null when the project has no error of this id. */
export async function errorEvents(
  deps: Deps,
  project: AuthorizedProject,
  errorId: number,
): Promise<readonly StoredEvent[] | null> {
  const rows = await store.events(deps.db, project, errorId);
  return (
    rows?.map(({ errorId: _, slot: __, payload, level, ...event }) => ({
      ...event,
      level: LEVELS.find((value) => value === level) ?? "error",
      // Written by `storedPayload` alone; what an older version did not know yet is empty.
      payload: { ...NO_PAYLOAD, ...(JSON.parse(payload) as Partial<EventPayload>) },
    })) ?? null
  );
}

/** How many events arrived between a moment and the next. */
export type Point = Readonly<{ from: Date; count: number }>;

/**
 * How often errors were seen, for a plot: the last 24 hours by the hour, or the last 14 days by the day, the oldest
 * first and without gaps.
 * @returns by the error's id, for those that are the project's.
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
  const rows = await store.hours(deps.db, project, errorIds, since);
  return new Map(
    rows.map(({ id, hours }) => [
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

/** What arrived for a project in that time: `accepted` events, and what was dropped, by reason and kind. */
export async function ingestCounts(
  deps: Deps,
  project: AuthorizedProject,
  range: Range,
): Promise<readonly Drop[]> {
  const since = spansOf(range, deps.clock())[0]?.from ?? deps.clock();
  const rows = await store.ingest(deps.db, project, since);
  return rows
    .map(({ outcome, category, _sum }) => ({ outcome, category, count: _sum.count ?? 0 }))
    .sort((a, b) => b.count - a.count);
}
