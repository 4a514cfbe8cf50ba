import { ROLES } from "@/access/roles";
import type { TokenDigest } from "@/kernel/crypto/token";
import { allOf, anyOf, NAMED_MAX, named, padToPowerOfFour, unindexed } from "@/kernel/db/conditions";
import type { Db, Queries } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import { lockRow } from "@/kernel/db/lock";
import type { Reads } from "@/kernel/db/prepared";
import { pageOfList } from "@/kernel/paging/list-statements";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type OffsetPaging,
  type Page,
  type Paging,
  pageById,
} from "@/kernel/paging/paging";
import { ancestorsOf } from "@/workspace/hierarchy/descendants";
import {
  includesGroups,
  type VisibilityFilter as UserVisibility,
  visibilityFilterOf,
  visibleByGroup,
  visibleIdsOf,
  visibleInProjects,
} from "@/workspace/members/visibility-filter";
import {
  type ContactStatus,
  onlineSince,
  RUNNER_ACCESS_LEVELS,
  RUNNER_KINDS,
  type Runner,
  type RunnerInfo,
  type RunnerKind,
  type RunnerSettings,
  recentContactSince,
} from "./rules";
import * as sql from "./store.sql";

const omit = { digest: true } as const;

const runnerFrom = ({ kind, accessLevel, ...row }: sql.RunnerRow): Runner => ({
  ...row,
  kind: RUNNER_KINDS.find((value) => value === kind) ?? "instance_type",
  accessLevel: RUNNER_ACCESS_LEVELS.find((value) => value === accessLevel) ?? "not_protected",
});

export type NewRunner = RunnerSettings &
  Readonly<{
    kind: RunnerKind;
    digest: TokenDigest;
    groupId: number | null;
    createdAt: Date;
    tags: readonly string[];
    /** The first project of a project runner. */
    projectId: number | null;
  }>;

export async function insert(db: Db, { tags, projectId, ...runner }: NewRunner): Promise<Runner> {
  const row = await db.runner.create({ data: runner, omit });
  await insertTags(db, row.id, tags);
  if (projectId !== null) await assign(db, row.id, projectId);
  return runnerFrom(row);
}

async function insertTags(db: Db, runnerId: number, tags: readonly string[]): Promise<void> {
  if (tags.length > 0) await db.runnerTag.createMany({ data: tags.map((name) => ({ runnerId, name })) });
}

export async function findById(reads: Reads, id: number): Promise<Runner | null> {
  const [row] = await sql.findByIds(reads, [id]);
  return row === undefined ? null : runnerFrom(row);
}

export async function findByDigest(db: Db, digest: TokenDigest): Promise<Runner | null> {
  const row = await db.runner.findUnique({ where: { digest }, omit });
  return row && runnerFrom(row);
}

/** Returns the tags of a runner in alphabetical order. */
export async function tagsOf(reads: Reads, runnerId: number): Promise<readonly string[]> {
  return (await sql.listTags(reads, [runnerId])).map(({ name }) => name);
}

/** Returns the tags of runners, with the runner id as key. The function runs one query. */
export async function tagsOfAll(
  reads: Reads,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await sql.listTags(reads, ids);
  const tags = new Map<number, string[]>();
  for (const { runnerId, name } of rows) tags.set(runnerId, [...(tags.get(runnerId) ?? []), name]);
  return tags;
}

/** @param tags the tags that replace the current tags; if undefined, the current tags stay unchanged. */
export async function update(
  db: Db,
  id: number,
  settings: RunnerSettings,
  tags: readonly string[] | undefined,
): Promise<Runner> {
  if (tags !== undefined) {
    await db.runnerTag.deleteMany({ where: { runnerId: id } });
    await insertTags(db, id, tags);
  }
  return runnerFrom(await db.runner.update({ where: { id }, data: settings, omit }));
}

export async function remove(db: Db, id: number): Promise<boolean> {
  return (await db.runner.deleteMany({ where: { id } })).count === 1;
}

/**
 * Replaces the token of a runner. The result is false if the runner no longer exists, or the current token
 * digest of the runner is no longer `before`.
 */
export async function setDigest(
  db: Db,
  id: number,
  digest: TokenDigest,
  before: TokenDigest | undefined,
): Promise<boolean> {
  const where = { id, ...(before === undefined ? {} : { digest: before }) };
  return (await db.runner.updateMany({ where, data: { digest } })).count === 1;
}

/**
 * Stores the time at which a runner contacted the server, unless another process has just stored a contact of
 * the runner.
 * @param info the information that the runner sent; absent fields stay unchanged.
 */
export async function recordContact(db: Db, id: number, info: Partial<RunnerInfo>, now: Date): Promise<void> {
  const differs = Object.entries(info).map(([key, value]) => ({
    OR: [{ [key]: null }, { [key]: { not: value } }],
  }));
  await db.runner.updateMany({
    where: { id, OR: [{ contactedAt: null }, { contactedAt: { lte: recentContactSince(now) } }, ...differs] },
    data: { ...info, contactedAt: now },
  });
}

export async function assign(db: Db, runnerId: number, projectId: number): Promise<void> {
  // Without the lock on the project, the project could be transferred after its groups are read and before
  // the runner is assigned.
  await lockRow(db, "Project", projectId);
  const groups = { groupId: true, topGroupId: true } as const;
  const copied = await db.project.findUniqueOrThrow({ where: { id: projectId }, select: groups });
  await db.runnerProject.create({ data: { runnerId, projectId, ...copied } });
}

/** Stores the new group and top-level group of a project in the rows that assign runners to the project. */
export async function setGroups(
  db: Db,
  projectId: number,
  groups: Readonly<{ groupId: number | null; topGroupId: number | null }>,
): Promise<void> {
  await db.runnerProject.updateMany({ where: { projectId }, data: groups });
}

/** Removes a runner from a project. The result is false if the runner is not assigned to the project. */
export async function unassign(db: Db, runnerId: number, projectId: number): Promise<boolean> {
  return (await db.runnerProject.deleteMany({ where: { runnerId, projectId } })).count === 1;
}

export const isAssigned = async (db: Db, runnerId: number, projectId: number): Promise<boolean> =>
  (await db.runnerProject.count({ where: { runnerId, projectId } })) > 0;

export const countProjects = (db: Db, runnerId: number): Promise<number> =>
  db.runnerProject.count({ where: { runnerId } });

/** The set of runners that a list may contain. */
export type RunnerVisibility =
  | Readonly<{ of: "all" }>
  /** The runners that belong to projects that the user maintains, or to groups that the user owns. */
  | Readonly<{ of: "user"; id: number }>
  /**
   * The runners that are available to a project: runners of the project, runners of ancestor groups, and
   * instance runners.
   */
  | Readonly<{ of: "project"; id: number; groupId: number | null }>
  | Readonly<{ of: "group"; id: number }>;

export type RunnerFilter = Readonly<{
  kind: RunnerKind | Readonly<{ not: RunnerKind }> | undefined;
  status: ContactStatus | undefined;
  paused: boolean | undefined;
  /** A list of tags. A runner matches only if the runner has all of these tags. */
  tags: readonly string[];
  versionPrefix: string;
}>;

/** Returns a page of the visible runners, ordered by id. */
export async function list(
  queries: Queries,
  visibility: RunnerVisibility,
  filter: RunnerFilter,
  now: Date,
  paging: Paging,
): Promise<Page<Runner>> {
  const { db, reads } = queries;
  const read = async (ids: readonly number[]) => (await sql.findByIds(reads, ids)).map(runnerFrom);
  const scope = await scopeOf(reads, visibility, now);
  if (paging.kind === "offset" && isUnfiltered(filter)) {
    const page = await wholePage(reads, scope, paging, read);
    if (page !== null) return page;
  }
  const where = { AND: [await chosen(db, scope, filter, now), keysetFilterOf(paging)] };
  const id = directionOf(paging);
  return pageById(paging, {
    isSearch: filter.tags.length > 0,
    find: (window) => db.runner.findMany({ where, orderBy: { id }, select: { id: true }, ...window }),
    read,
    count: () => db.runner.count({ where, take: COUNTED_MAX + 1 }),
  });
}

const isUnfiltered = ({ kind, status, paused, tags, versionPrefix }: RunnerFilter): boolean =>
  kind === undefined &&
  status === undefined &&
  paused === undefined &&
  tags.length === 0 &&
  versionPrefix === "";

/** The projects and groups whose runners a list may contain. */
type Scope =
  | Readonly<{ of: "all" }>
  /** The projects that a user maintains, and the groups that the user owns. */
  | Readonly<{ of: "user"; maintained: UserVisibility; owned: UserVisibility }>
  /** A project, or `NO_PROJECT`, and groups. The list also contains instance runners. */
  | Readonly<{ of: "available"; projectId: number; groupIds: readonly number[] }>;

const NO_PROJECT = 0;

async function scopeOf(reads: Reads, visibility: RunnerVisibility, now: Date): Promise<Scope> {
  if (visibility.of === "all") return visibility;
  if (visibility.of === "user") {
    const [maintained, owned] = await Promise.all([
      visibilityFilterOf(reads, visibility.id, ROLES.maintainer.level, now),
      visibilityFilterOf(reads, visibility.id, ROLES.owner.level, now),
    ]);
    return { of: "user", maintained, owned };
  }
  const isProject = visibility.of === "project";
  const groupIds = await ancestorsOf(reads, isProject ? visibility.groupId : visibility.id);
  return { of: "available", projectId: isProject ? visibility.id : NO_PROJECT, groupIds };
}

/**
 * Returns a page of all visible runners by a typed statement; null if the visibility depends on too many ids, or if
 * the user is a member of projects only and can therefore see only few runners.
 */
async function wholePage(
  reads: Reads,
  scope: Scope,
  paging: OffsetPaging,
  read: (ids: readonly number[]) => Promise<readonly Runner[]>,
): Promise<Page<Runner> | null> {
  if (scope.of === "all") return pageOfList(reads, sql.ALL_RUNNERS, {}, paging, read);
  if (scope.of === "available") {
    const { projectId, groupIds } = scope;
    return pageOfList(reads, sql.AVAILABLE_RUNNERS, { projectId, groupIds }, paging, read);
  }
  const { maintained, owned } = scope;
  const ids = visibleIdsOf(maintained);
  if (ids === null || owned.groups === null || !includesGroups(maintained)) return null;
  const { allIds, groupIds } = owned.groups;
  // `allIds` contains the descendants, so the statement need not search for groups below these groups.
  const ownedIds = { ownedGroupIds: allIds ?? groupIds, ownedAncestorIds: allIds === null ? groupIds : [] };
  return pageOfList(reads, sql.RUNNERS_OF_USER, { ...ids, ...ownedIds }, paging, read);
}

export const count = async (
  queries: Queries,
  visibility: RunnerVisibility,
  filter: RunnerFilter,
  now: Date,
): Promise<number> => {
  const scope = await scopeOf(queries.reads, visibility, now);
  return queries.db.runner.count({ where: await chosen(queries.db, scope, filter, now) });
};

const chosen = async (db: Db, scope: Scope, filter: RunnerFilter, now: Date) => ({
  // The query conditions for tags come first, because they select the fewest rows.
  AND: [...allOf(await withTags(db, filter.tags)), narrowed(filter, now), await within(db, scope)],
});

function narrowed({ kind, status, paused, versionPrefix }: RunnerFilter, now: Date) {
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(paused === undefined ? {} : { paused }),
    ...(versionPrefix === "" ? {} : { version: { startsWith: literally(versionPrefix) } }),
    ...(status === undefined ? {} : { contactedAt: CONTACTED[status](onlineSince(now)) }),
  };
}

/**
 * Returns the query conditions that select the runners that have all of these tags. The query condition for
 * each tag contains a list of runner ids, or a subquery if the list would be too long.
 */
const withTags = (
  db: Db,
  tags: readonly string[],
): Promise<readonly (readonly number[] | Prisma.RunnerWhereInput)[]> =>
  Promise.all(
    tags.map(async (name) => {
      const orderBy = { name: "asc" } as const;
      const rows = await db.runnerTag.findMany({ where: { name }, orderBy, take: NAMED_MAX + 1 });
      return named(rows.map(({ runnerId }) => runnerId)) ?? { tags: { some: { name } } };
    }),
  );

/**
 * For each status that `contactStatus` returns, a function that returns the query condition for the time of
 * the last contact.
 */
const CONTACTED = {
  online: (since: Date) => ({ gt: since }),
  offline: (since: Date) => ({ lte: since }),
  not_connected: () => null,
} as const satisfies Record<ContactStatus, (since: Date) => object | null>;

/**
 * The query condition that selects instance runners. The query condition uses no index, because SQLite would
 * otherwise collect and sort all matching runners (see `unindexed`).
 */
const INSTANCE = unindexed({ kind: { notIn: ["instance_type" satisfies RunnerKind] } });

async function within(db: Db, scope: Scope): Promise<Prisma.RunnerWhereInput> {
  if (scope.of === "all") return {};
  if (scope.of === "user")
    return anyOf([...(await ofProjects(db, scope.maintained)), ...visibleByGroup(scope.owned)]);
  const { projectId, groupIds } = scope;
  return {
    OR: [
      INSTANCE,
      ...(projectId === NO_PROJECT ? [] : [{ projects: { some: { projectId } } }]),
      ...(groupIds.length === 0 ? [] : [{ groupId: { in: padToPowerOfFour(groupIds) } }]),
    ],
  };
}

/**
 * Returns query conditions, which the caller combines with OR, that select the runners of visible projects.
 * Each query condition contains a list of runner ids, or a subquery if the list would be too long.
 */
async function ofProjects(db: Db, visibility: UserVisibility): Promise<readonly Prisma.RunnerWhereInput[]> {
  const visible = visibleInProjects(visibility);
  if (visible.length === 0) return [];
  const where = { OR: [...visible] };
  const conditions = [{ projects: { some: where } }];
  if (includesGroups(visibility) || visibility.projectIds === null) return conditions;
  const rows = await db.runnerProject.findMany({
    where,
    orderBy: { projectId: "asc" },
    take: NAMED_MAX + 1,
  });
  const ids = named(rows.map(({ runnerId }) => runnerId));
  return ids === null ? conditions : [{ id: { in: padToPowerOfFour([...new Set(ids)]) } }];
}

/**
 * Locks a runner until the end of the transaction.
 * @returns false if the runner does not exist.
 */
export const lock = (db: Db, id: number): Promise<boolean> => lockRow(db, "Runner", id);
