import { isVisibility, type Visibility } from "@/access/visibility";
import { anyOf, named, padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db, Queries } from "@/kernel/db/db";
import { Prisma } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import { lockClause, lockRow } from "@/kernel/db/lock";
import type { Reads } from "@/kernel/db/prepared";
import type { Deps } from "@/kernel/deps/deps";
import { pageOfList } from "@/kernel/paging/list-statements";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageById,
} from "@/kernel/paging/paging";
import { ancestorsOfAll } from "../hierarchy/descendants";
import { type VisibilityFilter, visibilityFilterOf, visibleGroups } from "../members/visibility-filter";
import type { GroupRow } from "./group-columns";
import type { Group } from "./rules";
import * as sql from "./store.sql";

/**
 * Returns the group of a database row. The row of the group may have been loaded together with the row of a
 * project.
 */
export const groupFrom = (row: GroupRow): Group => ({
  id: row.id,
  name: row.name,
  path: row.path,
  fullPath: row.fullPath,
  description: row.description,
  visibility: isVisibility(row.visibility) ? row.visibility : "private",
  parentId: row.parentId,
  createdAt: row.createdAt,
});

export async function findById(reads: Reads, id: number): Promise<Group | null> {
  const [row] = await sql.findByIds(reads, [id]);
  return row === undefined ? null : groupFrom(row);
}

/**
 * Returns the group with this full path, or null.
 * @param fullPath the full path, regardless of letter case.
 */
export async function findByPath(reads: Reads, fullPath: string): Promise<Group | null> {
  const row = await sql.findByPath(reads, fullPath.toLowerCase());
  return row && groupFrom(row);
}

/** Returns the groups with these full paths in lower case, and the groups with these ids. */
export const findByPaths = async (
  db: Db,
  fullPaths: readonly string[],
  ids: readonly number[],
): Promise<readonly Group[]> =>
  fullPaths.length + ids.length === 0
    ? []
    : (
        await db.group.findMany({
          where: { OR: [{ fullPathLower: { in: [...fullPaths] } }, { id: { in: [...ids] } }] },
        })
      ).map(groupFrom);

export type NewGroup = Omit<Group, "id">;

/**
 * Inserts a group, and the rows that relate the group to its ancestors. @throws P2002 if the path is already
 * in use.
 */
export async function insert(db: Db, group: NewGroup): Promise<Group> {
  const row = await db.group.create({ data: { ...group, fullPathLower: group.fullPath.toLowerCase() } });
  const parentAncestors =
    group.parentId === null ? [] : await db.groupAncestor.findMany({ where: { groupId: group.parentId } });
  const ancestors = [row.id, ...parentAncestors.map(({ ancestorId }) => ancestorId)];
  await db.groupAncestor.createMany({
    data: ancestors.map((ancestorId) => ({ groupId: row.id, ancestorId })),
  });
  return groupFrom(row);
}

/**
 * Locks a group and its ancestors until the transaction ends, in the same order as the deletion of a group:
 * ancestors first.
 */
export async function lockWithAncestors(db: Db, id: number): Promise<void> {
  // The id of a group is higher than the ids of its ancestors, because the ancestors existed before the group.
  const rows = await db.groupAncestor.findMany({ where: { groupId: id }, orderBy: { ancestorId: "asc" } });
  for (const { ancestorId } of rows) await lockRow(db, "Group", ancestorId);
}

export async function update(
  db: Db,
  id: number,
  changes: Readonly<Partial<Pick<Group, "name" | "description" | "visibility">>>,
): Promise<Group> {
  return groupFrom(await db.group.update({ where: { id }, data: changes }));
}

/**
 * Deletes a group with its descendants and their projects. Call this function in a transaction.
 * @returns the ids of the deleted projects; null if the group no longer exists.
 */
export async function remove(
  { db, config }: Pick<Deps, "db" | "config">,
  id: number,
): Promise<readonly number[] | null> {
  const lockedIds = async (rows: Prisma.Sql): Promise<number[]> => {
    const locked = Prisma.sql`SELECT "id" FROM ${rows} ORDER BY "id" ${lockClause(config, "FOR UPDATE")}`;
    return (await db.$queryRaw<{ id: number }[]>(locked)).map((row) => row.id);
  };
  // The deletion of the groups also deletes the projects that are in the groups at that moment, without returning
  // their ids. The locks prevent other requests from moving projects out of the groups or into the groups after
  // the ids are read. The group is locked before the descendants are read, because the creation of a subgroup
  // waits for the lock.
  await lockedIds(Prisma.sql`"Group" WHERE "id" = ${id}`);
  const descendants = Prisma.sql`SELECT "groupId" FROM "GroupAncestor" WHERE "ancestorId" = ${id}`;
  const groupIds = await lockedIds(Prisma.sql`"Group" WHERE "id" IN (${descendants})`);
  const projectIds = await lockedIds(Prisma.sql`"Project" WHERE "groupId" IN (${descendants})`);
  const { count } = await db.group.deleteMany({ where: { id: { in: groupIds } } });
  return count === 0 ? null : projectIds;
}

/** Returns the distinct visibilities of the direct subgroups and projects of a group. */
export async function visibilitiesOfDescendants(db: Db, id: number): Promise<readonly Visibility[]> {
  const [groups, projects] = await Promise.all([
    db.group.findMany({ where: { parentId: id }, distinct: ["visibility"], select: { visibility: true } }),
    db.project.findMany({ where: { groupId: id }, distinct: ["visibility"], select: { visibility: true } }),
  ]);
  return [...groups, ...projects].map(({ visibility }) => visibility).filter(isVisibility);
}

/** The filter of a list of groups. If `memberOnly` is set, `minLevel` is the minimum access level of the viewer. */
export type GroupFilter = Readonly<{
  /** The visibilities that the viewer can see without a membership; null if the viewer can see all groups. */
  open: readonly Visibility[] | null;
  /** The id of the viewer. Members of a group or project can also see the ancestors and descendants of the group. */
  viewerId: number | null;
  search: string;
  memberOnly: boolean;
  minLevel: number;
  parentId: number | null | undefined;
  /** If given, the list contains only groups with these ids. */
  ids: readonly number[] | undefined;
  /** If given, the list contains no groups with these ids. */
  skippedIds?: readonly number[] | undefined;
  visibility?: Visibility | undefined;
  descending: boolean;
  now: Date;
}>;

/** Returns, in lower case, those of the given full paths that belong to existing groups. */
export async function existingPaths(db: Db, fullPaths: readonly string[]): Promise<readonly string[]> {
  const where = { fullPathLower: { in: [...fullPaths] } };
  const rows = await db.group.findMany({ where, select: { fullPathLower: true } });
  return rows.map(({ fullPathLower }) => fullPathLower);
}

/**
 * Returns whether a group or a project has this full path, regardless of letter case. A subgroup and a project
 * of one group must not have equal paths.
 */
export async function isPathInUse(db: Db, fullPath: string): Promise<boolean> {
  const where = { fullPathLower: fullPath.toLowerCase() };
  const counts = [await db.group.count({ where }), await db.project.count({ where })];
  return counts.some((count) => count > 0);
}

/** Returns the number of groups that match the filter. */
export const count = async ({ db, reads }: Queries, filter: GroupFilter): Promise<number> =>
  db.group.count({ where: { AND: await conditionsOf(reads, filter, await membershipsOf(reads, filter)) } });

/** Returns the memberships of the viewer; null if the visible groups do not depend on the memberships. */
const membershipsOf = async (
  reads: Reads,
  { open, viewerId, memberOnly, minLevel, now }: GroupFilter,
): Promise<VisibilityFilter | null> =>
  viewerId === null || (open === null && !memberOnly)
    ? null
    : visibilityFilterOf(reads, viewerId, minLevel, now);

async function conditionsOf(
  reads: Reads,
  filter: GroupFilter,
  memberships: VisibilityFilter | null,
): Promise<Prisma.GroupWhereInput[]> {
  const { search, parentId, ids, skippedIds = [], visibility } = filter;
  return [
    await visible(reads, filter, memberships),
    search === "" ? {} : { fullPathLower: { contains: literally(search.toLowerCase()) } },
    parentId === undefined ? {} : { parentId },
    ids === undefined ? {} : { id: { in: [...ids] } },
    skippedIds.length === 0 ? {} : { id: { notIn: [...skippedIds] } },
    visibility === undefined ? {} : { visibility },
  ];
}

/** Returns a page of the groups that match the filter. */
export async function list(
  { db, reads }: Queries,
  filter: GroupFilter,
  paging: Paging,
): Promise<Page<Group>> {
  const { search, descending } = filter;
  const read = async (groupIds: readonly number[]) => (await sql.findByIds(reads, groupIds)).map(groupFrom);
  const memberships = await membershipsOf(reads, filter);
  const prepared = paging.kind === "offset" ? await preparedListOf(reads, filter, memberships) : null;
  if (prepared !== null && paging.kind === "offset") {
    const statements = sql.GROUP_LISTS[prepared.set][descending ? "descending" : "ascending"];
    return pageOfList(reads, statements, prepared.parameters, paging, read);
  }
  const where = { AND: [...(await conditionsOf(reads, filter, memberships)), keysetFilterOf(paging)] };
  const orderBy = { id: directionOf(paging, descending) };
  return pageById(paging, {
    isSearch: search !== "",
    find: (window) => db.group.findMany({ where, orderBy, select: { id: true }, ...window }),
    read,
    count: () => db.group.count({ where, take: COUNTED_MAX + 1 }),
  });
}

/** The parameters of a prepared list whose statements do not use these parameters. */
const UNUSED = { parentId: 0, groupIds: [], ancestorIds: [] };

/** Returns the prepared list that corresponds to a filter, with its parameters; null if there is no such list. */
async function preparedListOf(reads: Reads, filter: GroupFilter, memberships: VisibilityFilter | null) {
  const { open, memberOnly, parentId } = filter;
  const { search, ids, skippedIds = [], visibility } = filter;
  if (search !== "" || ids !== undefined || skippedIds.length > 0 || visibility !== undefined) return null;
  const seesAll = open === null && !memberOnly;
  if (parentId !== undefined)
    return seesAll && parentId !== null
      ? ({ set: "parent", parameters: { ...UNUSED, parentId } } as const)
      : null;
  if (seesAll) return { set: "all", parameters: UNUSED } as const;
  if (memberships === null || memberships.groups === null) return null;
  const { groups, projectIds } = memberships;
  // `allIds` contains the descendants, so the statement need not search for groups below these groups.
  const groupIds = groups.allIds === null ? groups.groupIds : [];
  // The primary key finds few groups faster than a statement that reads the groups in the order of the list.
  if (memberOnly)
    return groups.allIds === null ? ({ set: "member", parameters: { ...UNUSED, groupIds } } as const) : null;
  const ancestorIds =
    projectIds && named(await ancestorsOfAll(reads, { groupIds: groups.groupIds, projectIds }));
  const listedIds = ancestorIds && [...(groups.allIds ?? []), ...ancestorIds];
  return (
    listedIds && ({ set: "visible", parameters: { ...UNUSED, groupIds, ancestorIds: listedIds } } as const)
  );
}

async function visible(
  reads: Reads,
  { open, memberOnly }: GroupFilter,
  memberships: VisibilityFilter | null,
): Promise<Prisma.GroupWhereInput> {
  if (open === null && !memberOnly) return {};
  const isOpen = { visibility: { in: [...(open ?? [])] } };
  if (memberships === null) return memberOnly ? anyOf([]) : isOpen;
  if (memberOnly) return anyOf(visibleGroups(memberships));
  return { OR: [isOpen, ...visibleGroups(memberships), await ancestorsOfVisible(reads, memberships)] };
}

/**
 * Returns the query condition that selects the ancestors of all groups and projects in which the viewer is a
 * member.
 */
async function ancestorsOfVisible(
  reads: Reads,
  { projectIds, groups, membership }: VisibilityFilter,
): Promise<Prisma.GroupWhereInput> {
  const inProjects = { members: { some: membership } };
  const byRelation = { below: { some: { group: { OR: [inProjects, { projects: { some: inProjects } }] } } } };
  if (projectIds === null || groups === null) return byRelation;
  const { groupIds } = groups;
  const ids = named(await ancestorsOfAll(reads, { groupIds, projectIds }));
  return ids === null ? byRelation : { id: { in: padToPowerOfFour(ids) } };
}

/** Returns whether the viewer can see a group, for example as a member of a descendant of the group. */
export const isVisibleTo = async (
  { db, reads }: Queries,
  id: number,
  filter: GroupFilter,
): Promise<boolean> => {
  const condition = await visible(reads, filter, await membershipsOf(reads, filter));
  return (await db.group.count({ where: { AND: [{ id }, condition] }, take: 1 })) > 0;
};
