import { padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db, Queries } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import type { ErrorSort, ErrorStatus } from "./rules";
import * as sql from "./store.sql";

const COLUMNS = {
  id: true,
  name: true,
  message: true,
  culprit: true,
  platform: true,
  level: true,
  status: true,
  statusChangedAt: true,
  regressedAt: true,
  firstSeenAt: true,
  lastSeenAt: true,
  eventCount: true,
  userCount: true,
} as const satisfies Prisma.TrackedErrorSelect;

export type ErrorRow = Prisma.TrackedErrorGetPayload<{ select: typeof COLUMNS }>;

export type ErrorFilter = Readonly<{
  status: ErrorStatus | null;
  environment: string | null;
  /** The search text in lower case. */
  query: string | null;
}>;

const ORDERS = {
  last_seen: [{ lastSeenAt: "desc" }, { id: "desc" }],
  first_seen: [{ firstSeenAt: "desc" }, { id: "desc" }],
  count: [{ eventCount: "desc" }, { id: "desc" }],
  frequency: [{ eventCount: "desc" }, { id: "desc" }],
} as const satisfies Record<ErrorSort, Prisma.TrackedErrorOrderByWithRelationInput[]>;

const whereOf = (
  project: AuthorizedProject,
  { status, environment, query }: ErrorFilter,
): Prisma.TrackedErrorWhereInput => ({
  projectId: project.id,
  ...(status === null ? {} : { status }),
  ...(query === null ? {} : { searchText: { contains: literally(query) } }),
  ...(environment === null ? {} : { facets: { some: { kind: "environment", value: environment } } }),
});

/** Returns whether a filter selects tracked errors only by their status. */
const isByStatus = ({ environment, query }: ErrorFilter): boolean => environment === null && query === null;

export const errors = async (
  { db, reads }: Queries,
  project: AuthorizedProject,
  filter: ErrorFilter,
  page: Readonly<{ sort: ErrorSort; skip: number; take: number }>,
): Promise<readonly ErrorRow[]> =>
  isByStatus(filter)
    ? sql.listErrors(reads, project, filter.status, page)
    : db.trackedError.findMany({
        where: whereOf(project, filter),
        orderBy: ORDERS[page.sort],
        skip: page.skip,
        take: page.take,
        select: COLUMNS,
      });

/**
 * Returns the number of tracked errors that match a filter. A project has a limited number of tracked errors,
 * so a query that counts them is fast.
 */
export const countErrors = async (
  { db, reads }: Queries,
  project: AuthorizedProject,
  filter: ErrorFilter,
): Promise<number> =>
  isByStatus(filter)
    ? sql.countErrors(reads, project, filter.status)
    : db.trackedError.count({ where: whereOf(project, filter) });

/**
 * Sets the status of a tracked error.
 * @returns false when the project has no tracked error with this id.
 */
export async function setStatus(
  db: Db,
  project: AuthorizedProject,
  id: number,
  status: ErrorStatus,
  now: Date,
): Promise<boolean> {
  const key = { id, projectId: project.id };
  const { count } = await db.trackedError.updateMany({
    where: { ...key, status: { not: status } },
    data: { status, statusChangedAt: now, regressedAt: null },
  });
  return count === 1 || (await db.trackedError.count({ where: key })) === 1;
}

/**
 * Sets the status of several tracked errors of a project.
 * @returns the number of tracked errors whose status has changed.
 */
export async function setStatuses(
  db: Db,
  project: AuthorizedProject,
  ids: readonly number[],
  status: ErrorStatus,
  now: Date,
): Promise<number> {
  const { count } = await db.trackedError.updateMany({
    where: { id: { in: padToPowerOfFour(ids) }, projectId: project.id, status: { not: status } },
    data: { status, statusChangedAt: now, regressedAt: null },
  });
  return count;
}

/**
 * Sets the status of the tracked errors that match a filter. The number of tracked errors of a project is
 * limited, so one statement changes them all.
 * @param change.firstSeenUntil the time at which the list was shown. Tracked errors that appeared later are
 * not changed.
 * @returns the number of tracked errors whose status has changed.
 */
export async function setMatchingStatuses(
  db: Db,
  project: AuthorizedProject,
  filter: ErrorFilter,
  change: Readonly<{ status: ErrorStatus; firstSeenUntil: Date; now: Date }>,
): Promise<number> {
  const { status, firstSeenUntil, now } = change;
  const { count } = await db.trackedError.updateMany({
    where: {
      AND: [whereOf(project, filter), { status: { not: status }, firstSeenAt: { lte: firstSeenUntil } }],
    },
    data: { status, statusChangedAt: now, regressedAt: null },
  });
  return count;
}

/** Returns the tracked errors, of all projects, that were created or have regressed since the given time. */
export const listAppeared = (db: Db, since: Date, most: number) =>
  db.trackedError.findMany({
    // The query condition on `lastSeenAt` can use an index. If a tracked error was created or has regressed
    // since the given time, its last event is also newer than that time.
    where: {
      lastSeenAt: { gte: since },
      OR: [{ firstSeenAt: { gte: since } }, { regressedAt: { gte: since } }],
    },
    select: { id: true, projectId: true, firstSeenAt: true, regressedAt: true },
    orderBy: { lastSeenAt: "desc" },
    take: most,
  });
