import { ROLES } from "@/access/roles";
import { isVisibility, openTo, type Visibility } from "@/access/visibility";
import { anyOf, between, unindexed } from "@/kernel/db/conditions";
import type { Db, Queries } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import { lockRow } from "@/kernel/db/lock";
import type { Reads } from "@/kernel/db/prepared";
import { pageOfList } from "@/kernel/paging/list-statements";
import {
  COUNTED_MAX,
  keysetFilterOf,
  orderOf,
  type Page,
  type Paging,
  pageById,
} from "@/kernel/paging/paging";
import { groupOf } from "../groups/service";
import { descendantsOf, projectsInGroups } from "../hierarchy/descendants";
import {
  type InProject,
  type VisibilityFilter,
  type VisibleIds,
  visibilityFilterOf,
  visibleIdsOf,
  visibleInProjects,
  visibleProjects,
} from "../members/visibility-filter";
import { isMergeMethod, type Project } from "./rules";
import * as sql from "./store.sql";

const include = { group: true, creator: { select: { id: true, username: true, name: true } } } as const;

const projectFrom = (row: sql.ProjectRow): Project => ({
  id: row.id,
  name: row.name,
  path: row.path,
  fullPath: row.fullPath,
  description: row.description,
  visibility: isVisibility(row.visibility) ? row.visibility : "private",
  namespace:
    row.group === null
      ? { kind: "user", ...(row.creator ?? { id: 0, username: row.fullPath.split("/")[0] ?? "", name: "" }) }
      : { kind: "group", group: groupOf(row.group) },
  creatorId: row.creatorId,
  mergeMethod: isMergeMethod(row.mergeMethod) ? row.mergeMethod : "merge",
  createdAt: row.createdAt,
  lastActivityAt: row.lastActivityAt,
});

/** Returns the project with this id, or null. */
export async function findById(reads: Reads, id: number): Promise<Project | null> {
  const [row] = await sql.findByIds(reads, [id]);
  return row === undefined ? null : projectFrom(row);
}

/**
 * Returns the visibility of a project, and the access levels of a user in the project and in its groups. The
 * function runs one statement.
 * @param userId null for anonymous callers.
 */
export async function findLevels(
  reads: Reads,
  key: Readonly<{ id: number } | { fullPathLower: string }>,
  userId: number | null,
  now: Date,
): Promise<Readonly<{ id: number; visibility: Visibility; levels: readonly number[] }> | null> {
  const row = await sql.findLevels(reads, key, { userId: userId ?? 0, now });
  if (row === null) return null;
  const levels = [row.own, row.inherited].filter((level) => level !== null);
  return { id: row.id, visibility: isVisibility(row.visibility) ? row.visibility : "private", levels };
}

/** Returns the projects with these full paths, regardless of letter case. */
export async function findByPaths(db: Db, fullPaths: readonly string[]): Promise<readonly Project[]> {
  const lower = fullPaths.map((path) => path.toLowerCase());
  const rows = await db.project.findMany({ where: { fullPathLower: { in: lower } }, include });
  return rows.map(projectFrom);
}

export type NewProject = Omit<Project, "id" | "namespace" | "creatorId" | "mergeMethod"> &
  Readonly<{ groupId: number | null; creatorId: number }>;

/** Inserts a project. @throws P2002 if the path is already in use. */
export async function insert(db: Db, project: NewProject): Promise<Project> {
  const lower = { nameLower: project.name.toLowerCase(), fullPathLower: project.fullPath.toLowerCase() };
  const topGroupId = await topLevelGroupId(db, project.groupId);
  return projectFrom(await db.project.create({ data: { ...project, ...lower, topGroupId }, include }));
}

async function topLevelGroupId(db: Db, groupId: number | null): Promise<number | null> {
  if (groupId === null) return null;
  const where = { groupId, ancestor: { parentId: null } };
  return (await db.groupAncestor.findFirst({ where, select: { ancestorId: true } }))?.ancestorId ?? null;
}

export type ProjectChanges = Readonly<
  Partial<Pick<Project, "name" | "description" | "visibility" | "mergeMethod">>
>;

export async function update(db: Db, id: number, changes: ProjectChanges): Promise<Project> {
  const lower = changes.name === undefined ? {} : { nameLower: changes.name.toLowerCase() };
  return projectFrom(await db.project.update({ where: { id }, data: { ...changes, ...lower }, include }));
}

export type NewPlace = Readonly<{
  groupId: number | null;
  fullPath: string;
  visibility: Visibility;
  creatorId?: number;
}>;

/** Moves a project to another namespace. @throws P2002 if the path is already in use. */
export async function move(
  db: Db,
  id: number,
  { fullPath, groupId, ...changes }: NewPlace,
): Promise<Project & Readonly<{ topGroupId: number | null }>> {
  const topGroupId = await topLevelGroupId(db, groupId);
  const data = { ...changes, groupId, topGroupId, fullPath, fullPathLower: fullPath.toLowerCase() };
  return { ...projectFrom(await db.project.update({ where: { id }, data, include })), topGroupId };
}

export async function setLastActivity(db: Db, id: number, lastActivityAt: Date): Promise<void> {
  await db.project.updateMany({ where: { id }, data: { lastActivityAt } });
}

export async function remove(db: Db, id: number): Promise<boolean> {
  return (await db.project.deleteMany({ where: { id } })).count === 1;
}

/** Returns whether a user's namespace contains projects. */
export const hasPersonalProjects = async (db: Db, ownerId: number): Promise<boolean> =>
  (await db.project.count({ where: { groupId: null, creatorId: ownerId }, take: 1 })) > 0;

/** Returns a project in a user's namespace, or null. */
export async function findPersonal(db: Db, ownerId: number): Promise<Project | null> {
  const row = await db.project.findFirst({ where: { groupId: null, creatorId: ownerId }, include });
  return row && projectFrom(row);
}

/**
 * Returns the projects with the lowest ids in a user's namespace, and the number of all projects in the
 * namespace.
 */
export async function listPersonal(
  reads: Reads,
  ownerId: number,
  most: number,
): Promise<Readonly<{ fullPaths: readonly string[]; total: number }>> {
  const rows = await sql.personalProjects(reads, ownerId, most);
  return { fullPaths: rows.map(({ fullPath }) => fullPath), total: rows[0]?.total ?? 0 };
}

/** Replaces the creator of at most `most` projects in groups. @returns the number of changed projects. */
export async function replaceCreator(db: Db, from: number, to: number, most: number): Promise<number> {
  const where = { groupId: { not: null }, creatorId: from };
  const rows = await db.project.findMany({ where, select: { id: true }, take: most });
  const ids = rows.map(({ id }) => id);
  await db.project.updateMany({ where: { id: { in: ids } }, data: { creatorId: to } });
  return ids.length;
}

/** Returns the number of all projects of the instance. */
export const count = (db: Db): Promise<number> => db.project.count();

/** The database column for each sort order of the API. */
export const PROJECT_ORDERS = {
  id: "id",
  name: "nameLower",
  path: "fullPathLower",
  created_at: "createdAt",
  last_activity_at: "lastActivityAt",
} as const;

export type ProjectOrder = keyof typeof PROJECT_ORDERS;

/** The filter of a list of projects. If `memberOnly` is set, `minLevel` is the minimum access level of the viewer. */
export type ProjectFilter = Readonly<{
  /** The visibilities that the viewer can see without a membership; null if the viewer can see all projects. */
  open: readonly Visibility[] | null;
  viewerId: number | null;
  search: string;
  visibility: Visibility | undefined;
  memberOnly: boolean;
  minLevel: number;
  /**
   * If given, the list contains only projects of this group and, if `includesDescendants` is set, of the
   * group's descendants.
   */
  group: Readonly<{ id: number; includesDescendants: boolean }> | undefined;
  /** If given, the list contains only projects in the namespace of this user. */
  ownerId: number | undefined;
  /** If given, the list contains only projects that this project runner serves. */
  runnerId: number | undefined;
  /**
   * If given, the list contains only projects whose ids are greater than `idAfter` and less than `idBefore`.
   */
  idAfter?: number | undefined;
  idBefore?: number | undefined;
  lastActivityAfter?: Date | undefined;
  lastActivityBefore?: Date | undefined;
  order: ProjectOrder;
  descending: boolean;
  now: Date;
}>;

/**
 * Returns a page of the projects that the viewer can see. With keyset pagination, the projects are ordered by
 * id.
 */
export async function list(
  { db, reads }: Queries,
  filter: ProjectFilter,
  paging: Paging,
): Promise<Page<Project>> {
  const read = async (ids: readonly number[]) => (await sql.findByIds(reads, ids)).map(projectFrom);
  const prepared = paging.kind === "offset" ? await preparedListOf(reads, filter) : null;
  if (prepared !== null && paging.kind === "offset")
    return pageOfList(reads, prepared.statements, prepared.parameters, paging, read);
  const where = {
    AND: [
      await visible(reads, filter, visibleProjects),
      narrowed(filter),
      await inGroup(reads, filter.group),
      keysetFilterOf(paging),
    ],
  };
  const orderBy = orderOf(paging, PROJECT_ORDERS[filter.order], filter.descending);
  // For each query condition, an index contains the rows in the order of `createdAt`. If the query that
  // counts the projects used the order of ids, the database would have to sort the rows that match each query
  // condition.
  const inOrder = { orderBy: [{ createdAt: "desc" as const }, { id: "desc" as const }] };
  return pageById(paging, {
    isSearch: filter.search !== "",
    find: (window) => db.project.findMany({ where, orderBy, select: { id: true }, ...window }),
    read,
    count: () => db.project.count({ where, ...inOrder, take: COUNTED_MAX + 1 }),
  });
}

/** The parameters of a prepared list whose statements do not use these parameters. */
const UNUSED = { groupId: 0, projectIds: [], groupIds: [], topGroupIds: [], directGroupIds: [] };

/** Returns the prepared list that corresponds to a filter, with its parameters; null if there is no such list. */
async function preparedListOf(reads: Reads, filter: ProjectFilter) {
  const { open, viewerId, memberOnly, minLevel, group, now } = filter;
  const others = [
    ...[filter.visibility, filter.ownerId, filter.runnerId, filter.idAfter, filter.idBefore],
    ...[filter.lastActivityAfter, filter.lastActivityBefore],
  ];
  if (filter.search !== "" || others.some((value) => value !== undefined)) return null;
  const seesAll = open === null && !memberOnly;
  const statementsOf = (set: "all" | "visible" | "member" | "topGroupMember" | "group") =>
    sql.listStatementsOf({
      set,
      column: PROJECT_ORDERS[filter.order],
      direction: filter.descending ? "DESC" : "ASC",
    });
  if (group !== undefined) {
    const statements = seesAll && !group.includesDescendants ? statementsOf("group") : null;
    return statements && { statements, parameters: { ...UNUSED, groupId: group.id } };
  }
  const visible = statementsOf(seesAll ? "all" : "visible");
  if (visible === null || seesAll) return visible && { statements: visible, parameters: UNUSED };
  if (viewerId === null) return null;
  const ids = visibleIdsOf(await visibilityFilterOf(reads, viewerId, minLevel, now));
  if (ids === null) return null;
  const directGroupIds = [...ids.groupIds, ...ids.topGroupIds];
  const members = statementsOf(ids.topGroupIds.length === 0 ? "member" : "topGroupMember");
  const statements = memberOnly ? members : visible;
  return statements && { statements, parameters: { ...UNUSED, ...ids, directGroupIds } };
}

/**
 * The number of rows that a search reads from an index. From these rows, the search selects the projects that
 * the viewer can see and whose name or full path begins with the search text.
 */
const PREFIX_ROWS = 200;

/**
 * Returns at most `most` projects that the viewer can see. The first results are projects of which the viewer
 * is a member and whose name or full path contains the search text. Other projects follow if their name or
 * full path begins with the search text. Each query reads at most `PREFIX_ROWS` rows of an index, or only the
 * projects of which the viewer is a member.
 *
 * The query that searches for a prefix has no condition on the visibility. With a condition on the
 * visibility, the database would read the whole index if the viewer can see only a few projects. A second
 * query then selects the projects that the viewer can see.
 *
 * The query that searches for a prefix has a lower bound, but no upper bound, because in some PostgreSQL
 * collations no text sorts after all texts with the prefix.
 */
export async function findMatching(
  { db, reads }: Queries,
  { open, viewerId, now, search }: Pick<ProjectFilter, "open" | "viewerId" | "now" | "search">,
  most: number,
): Promise<readonly Project[]> {
  const lower = search.toLowerCase();
  const contains = { contains: literally(lower) };
  const memberships =
    viewerId === null ? [] : visibleProjects(await visibilityFilterOf(reads, viewerId, 0, now));
  const visibility =
    open === null ? {} : anyOf([unindexed({ visibility: { notIn: [...open] } }), ...memberships]);
  const beginning = (column: "nameLower" | "fullPathLower") =>
    db.project.findMany({
      where: { [column]: { gte: lower } },
      orderBy: [{ [column]: "asc" }, { id: "asc" }],
      select: { id: true, nameLower: true, fullPathLower: true },
      take: PREFIX_ROWS,
    });
  const [own, byName, byPath] = await Promise.all([
    db.project.findMany({
      where: { AND: [anyOf(memberships), { OR: [{ nameLower: contains }, { fullPathLower: contains }] }] },
      orderBy: [{ lastActivityAt: "desc" }, { id: "desc" }],
      select: { id: true },
      take: most,
    }),
    beginning("nameLower"),
    beginning("fullPathLower"),
  ]);
  const others = [
    ...byName.filter(({ nameLower }) => nameLower.startsWith(lower)),
    ...byPath.filter(({ fullPathLower }) => fullPathLower.startsWith(lower)),
  ];
  const visibleRows = await db.project.findMany({
    where: { AND: [{ id: { in: others.map(({ id }) => id) } }, visibility] },
    select: { id: true },
  });
  const visibleIds = new Set([...own, ...visibleRows].map(({ id }) => id));
  const ids = [...new Set([...own, ...others].map(({ id }) => id))]
    .filter((id) => visibleIds.has(id))
    .slice(0, most);
  const rows = new Map((await sql.findByIds(reads, ids)).map((row) => [row.id, projectFrom(row)]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/**
 * Returns the query condition that selects rows of projects whose source code a user may read. The table with
 * these rows must store copies of the project's visibility and groups.
 */
export async function readableCodeFilter(
  reads: Reads,
  user: Readonly<{ id: number; admin: boolean }> | null,
  now: Date,
): Promise<ReadableCode> {
  if (user?.admin) return { condition: {}, ids: null };
  const open = openTo(user !== null);
  if (user === null) return { condition: { visibility: { in: [...open] } }, ids: null };
  const filter = await visibilityFilterOf(reads, user.id, ROLES.reporter.level, now);
  return { condition: openOr(open, visibleInProjects(filter)), ids: visibleIdsOf(filter) };
}

/**
 * The query condition that selects rows of projects whose source code a user may read, and the ids with which
 * `visibleRows` selects the same rows. `ids` is null if the condition depends on too many ids, or on no ids.
 */
export type ReadableCode = Readonly<{ condition: InVisibleProject; ids: VisibleIds | null }>;

function narrowed({ search, visibility, ownerId, runnerId, ...filter }: ProjectFilter) {
  const lower = search.toLowerCase();
  return {
    ...(search === ""
      ? {}
      : {
          OR: [
            { nameLower: { contains: literally(lower) } },
            { fullPathLower: { contains: literally(lower) } },
          ],
        }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(ownerId === undefined ? {} : { groupId: null, creatorId: ownerId }),
    ...(runnerId === undefined ? {} : { runners: { some: { runnerId } } }),
    id: {
      ...(filter.idAfter === undefined ? {} : { gt: filter.idAfter }),
      ...(filter.idBefore === undefined ? {} : { lt: filter.idBefore }),
    },
    lastActivityAt: between(filter.lastActivityAfter, filter.lastActivityBefore),
  };
}

async function inGroup(reads: Reads, group: ProjectFilter["group"]): Promise<Prisma.ProjectWhereInput> {
  if (group === undefined) return {};
  return group.includesDescendants
    ? anyOf(projectsInGroups(await descendantsOf(reads, [group.id])))
    : { groupId: group.id };
}

type ViewerFilter = Pick<ProjectFilter, "open" | "viewerId" | "memberOnly" | "minLevel" | "now">;

/** A query condition on projects, or on rows that belong to a project and store a copy of its visibility. */
type Visible<Reached extends object> =
  | Readonly<{ visibility?: { in: string[] } }>
  | ReturnType<typeof anyOf<Reached | Readonly<{ NOT: { visibility: { notIn: string[] } } }>>>;

/** A query condition on rows that belong to a project and store copies of its visibility and groups. */
type InVisibleProject = Visible<InProject>;

async function visible<Reached extends object>(
  reads: Reads,
  { open, viewerId, memberOnly, minLevel, now }: ViewerFilter,
  conditionsOf: (filter: VisibilityFilter) => readonly Reached[],
): Promise<Visible<Reached>> {
  if (open === null && !memberOnly) return {};
  if (viewerId === null) return { visibility: { in: [...(open ?? [])] } };
  const memberConditions = conditionsOf(await visibilityFilterOf(reads, viewerId, minLevel, now));
  if (memberOnly) return anyOf(memberConditions);
  return openOr(open ?? [], memberConditions);
}

/**
 * Returns the query condition that selects the rows with these visibilities, and the rows that match one of the
 * other conditions. If the condition on the visibility matches most rows, an index on the visibility is slow. The
 * function `unindexed` prevents the use of this index, so that the database uses an index in the order of the
 * list.
 */
const openOr = <Reached extends object>(
  open: readonly Visibility[],
  others: readonly Reached[],
): Visible<Reached> => anyOf([unindexed({ visibility: { notIn: [...open] } }), ...others]);

export const lock = (db: Db, id: number): Promise<boolean> => lockRow(db, "Project", id);

export async function allIds(db: Db): Promise<readonly number[]> {
  return (await db.project.findMany({ select: { id: true } })).map(({ id }) => id);
}
