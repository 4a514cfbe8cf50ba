import { notFound } from "next/navigation";
import { reaches } from "@/access/roles";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId, textOf, urlWithQuery } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { snippetsOf, trackingOf } from "../settings/loaders";
import { ingestSummaryOf } from "./ingest-summary";
import { LEAST_TO_CHANGE_STATUS, LEAST_TO_READ } from "./rules";
import { filterOf, parametersOf, readErrorSearch, readRange } from "./schema";
import {
  countErrors,
  countsOverTime,
  errorEvents,
  findTrackedError,
  ingestCounts,
  listErrors,
  listVersion,
  type StoredEvent,
} from "./service";

export const errorsPath = (home: string): string => `${home}/errors`;

const ERRORS_SHOWN = 20;

/** Returns one page of the tracked errors of a project, each with its recent event counts. */
export async function loadErrors(id: string, query: Query) {
  const { project } = await requireProject(id, errorsPath, LEAST_TO_READ);
  const deps = systemDeps();
  const search = readErrorSearch(query);
  const paging = offsetPagingIn(query, ERRORS_SHOWN);
  // The version of the list is read before the list. If the list changes after the version was read, the next
  // poll detects the change.
  const version = await listVersion(deps, project);
  const result = await listErrors(deps, project, { ...filterOf(search), sort: search.sort, ...paging });
  const ids = result.errors.map(({ id: errorId }) => errorId);
  const [counts, arrived, tracking, nothingYet] = await Promise.all([
    countsOverTime(deps, project, ids, search.range),
    ingestCounts(deps, project, search.range),
    trackingOf(project),
    result.total === 0 ? hasNone(project) : false,
  ]);
  const home = errorsPath(`${PROJECTS}/${project.id}`);
  const shown = { rows: result.errors, total: result.total };
  return {
    home,
    projectId: project.id,
    version,
    search,
    mayChangeStatus: reaches(project.role, LEAST_TO_CHANGE_STATUS),
    errors: result.errors.map((error) => ({ ...error, points: counts.get(error.id) ?? [] })),
    total: result.total,
    ingestSummary: ingestSummaryOf(arrived),
    tracking,
    mayConfigure: reaches(project.role, "maintainer"),
    snippets: nothingYet && tracking.kind === "integrated" ? await snippetsOf(project) : [],
    nothingYet,
    pager: offsetLinks(paging, shown, home, parametersOf(search)),
    now: deps.clock(),
  };
}

const ANY = { status: null, environment: null, query: null } as const;

const hasNone = async (project: AuthorizedProject): Promise<boolean> =>
  (await countErrors(systemDeps(), project, ANY)) === 0;

/** Loads the page on which the user selects a new status for all tracked errors that match a search. */
export async function loadMatchingErrors(id: string, query: Query) {
  const { project } = await requireProject(
    id,
    (home) => `${errorsPath(home)}/change_all`,
    LEAST_TO_CHANGE_STATUS,
  );
  const deps = systemDeps();
  const search = readErrorSearch(query);
  return {
    projectId: project.id,
    search,
    total: await countErrors(deps, project, filterOf(search)),
    listUrl: urlWithQuery(errorsPath(`${PROJECTS}/${project.id}`), parametersOf(search)),
    now: deps.clock(),
  };
}

/**
 * Returns the number of unresolved tracked errors; null if the project does not store tracked errors or the
 * user does not have permission to read them.
 */
export async function countUnresolved(project: AuthorizedProject): Promise<number | null> {
  if (!reaches(project.role, LEAST_TO_READ)) return null;
  if ((await trackingOf(project)).kind !== "integrated") return null;
  return countErrors(systemDeps(), project, { ...ANY, status: "unresolved" });
}

/**
 * Returns a tracked error with the event that the URL names, or with its newest event. The response for an
 * unknown tracked error is 404.
 */
export async function loadError(id: string, errorId: string, query: Query) {
  const path = (home: string) => `${errorsPath(home)}/${encodeURIComponent(errorId)}`;
  const { project } = await requireProject(id, path, LEAST_TO_READ);
  const deps = systemDeps();
  const trackedErrorId = readId(errorId) ?? notFound();
  const range = readRange(query);
  const [error, events, counts] = await Promise.all([
    findTrackedError(deps, project, trackedErrorId),
    errorEvents(deps, project, trackedErrorId),
    countsOverTime(deps, project, [trackedErrorId], range),
  ]);
  const home = path(`${PROJECTS}/${project.id}`);
  return {
    projectId: project.id,
    error: error ?? notFound(),
    points: counts.get(trackedErrorId) ?? [],
    range,
    home,
    shown: eventAt(events ?? [], textOf(query, "event"), home, range === "24h" ? "" : range),
    mayChangeStatus: reaches(project.role, LEAST_TO_CHANGE_STATUS),
    now: deps.clock(),
  };
}

/**
 * Returns the requested event or the newest event, with links to the next newer and the next older event;
 * null if no event is stored.
 */
function eventAt(events: readonly StoredEvent[], eventId: string, home: string, range: string) {
  const at = Math.max(
    0,
    events.findIndex((event) => event.eventId === eventId),
  );
  const event = events[at];
  if (event === undefined) return null;
  const eventUrl = (neighbor: StoredEvent | undefined) =>
    neighbor === undefined ? null : urlWithQuery(home, { event: neighbor.eventId, range });
  return {
    event,
    number: at + 1,
    storedCount: events.length,
    previous: at === 0 ? null : eventUrl(events[at - 1]),
    next: eventUrl(events[at + 1]),
  };
}
