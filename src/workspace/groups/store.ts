import { isVisibility, type Visibility } from "@/access/visibility";
import { anyOf, NAMED_MAX, named, padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db } from "@/kernel/db/db";
import type { Group as GroupRow, Prisma } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageById,
} from "@/kernel/paging/paging";
import { type VisibilityFilter, visibilityFilterOf, visibleGroups } from "../members/visibility-filter";
import type { Group } from "./rules";

/** The group of a row: also for rows that come with a project. */
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

export async function findById(db: Db, id: number): Promise<Group | null> {
  const row = await db.group.findUnique({ where: { id } });
  return row && groupFrom(row);
}

/** @param fullPath in any case. */
export async function findByPath(db: Db, fullPath: string): Promise<Group | null> {
  const row = await db.group.findUnique({ where: { fullPathLower: fullPath.toLowerCase() } });
  return row && groupFrom(row);
}

export type NewGroup = Omit<Group, "id">;

/** Stores a group and its place below all groups above it. Raises P2002 when the path is taken. */
export async function insert(db: Db, group: NewGroup): Promise<Group> {
  const row = await db.group.create({ data: { ...group, fullPathLower: group.fullPath.toLowerCase() } });
  const above =
    group.parentId === null ? [] : await db.groupAncestor.findMany({ where: { groupId: group.parentId } });
  const ancestors = [row.id, ...above.map(({ ancestorId }) => ancestorId)];
  await db.groupAncestor.createMany({
    data: ancestors.map((ancestorId) => ({ groupId: row.id, ancestorId })),
  });
  return groupFrom(row);
}

export async function update(
  db: Db,
  id: number,
  changes: Readonly<Partial<Pick<Group, "name" | "description" | "visibility">>>,
): Promise<Group> {
  return groupFrom(await db.group.update({ where: { id }, data: changes }));
}

/**
 * Removes a group with everything below it.
 * @returns the ids of the projects that were in it; null where the group is gone already.
 */
export async function remove(db: Db, id: number): Promise<readonly number[] | null> {
  const below = await db.groupAncestor.findMany({ where: { ancestorId: id }, select: { groupId: true } });
  const groupIds = below.map(({ groupId }) => groupId);
  const projects = await db.project.findMany({ where: { groupId: { in: groupIds } }, select: { id: true } });
  const { count } = await db.group.deleteMany({ where: { id: { in: groupIds } } });
  return count === 0 ? null : projects.map((project) => project.id);
}

/** The most open of what lies right below a group; null where nothing does. */
export async function visibilitiesOfDescendants(db: Db, id: number): Promise<readonly Visibility[]> {
  const [groups, projects] = await Promise.all([
    db.group.findMany({ where: { parentId: id }, distinct: ["visibility"], select: { visibility: true } }),
    db.project.findMany({ where: { groupId: id }, distinct: ["visibility"], select: { visibility: true } }),
  ]);
  return [...groups, ...projects].map(({ visibility }) => visibility).filter(isVisibility);
}

/** Which groups. `memberId` and `minLevel`: only those where that person is at least that, by any group above. */
export type GroupFilter = Readonly<{
  /** What somebody sees who is a member nowhere; null: everything. */
  open: readonly Visibility[] | null;
  /** Who asks: they see, too, where they are a member, and what lies above and below that. */
  viewerId: number | null;
  search: string;
  memberOnly: boolean;
  minLevel: number;
  parentId: number | null | undefined;
  /** Only these. */
  ids: readonly number[] | undefined;
  /** Without these. */
  skippedIds?: readonly number[] | undefined;
  visibility?: Visibility | undefined;
  descending: boolean;
  now: Date;
}>;

/** Which of these full paths, in lower case, groups have. */
export async function existingPaths(db: Db, fullPaths: readonly string[]): Promise<readonly string[]> {
  const where = { fullPathLower: { in: [...fullPaths] } };
  const rows = await db.group.findMany({ where, select: { fullPathLower: true } });
  return rows.map(({ fullPathLower }) => fullPathLower);
}

/** How many groups the filter lets through. */
export const count = async (db: Db, filter: GroupFilter): Promise<number> =>
  db.group.count({ where: { AND: await conditionsOf(db, filter) } });

async function conditionsOf(db: Db, filter: GroupFilter): Promise<Prisma.GroupWhereInput[]> {
  const { search, parentId, ids, skippedIds = [], visibility } = filter;
  return [
    await visible(db, filter),
    search === "" ? {} : { fullPathLower: { contains: literally(search.toLowerCase()) } },
    parentId === undefined ? {} : { parentId },
    ids === undefined ? {} : { id: { in: [...ids] } },
    skippedIds.length === 0 ? {} : { id: { notIn: [...skippedIds] } },
    visibility === undefined ? {} : { visibility },
  ];
}

/** A part of the groups that somebody sees. */
export async function list(db: Db, filter: GroupFilter, paging: Paging): Promise<Page<Group>> {
  const { search, descending } = filter;
  const where = { AND: [...(await conditionsOf(db, filter)), keysetFilterOf(paging)] };
  const orderBy = { id: directionOf(paging, descending) };
  return pageById(paging, {
    isSearch: search !== "",
    find: (window) => db.group.findMany({ where, orderBy, select: { id: true }, ...window }),
    read: async (found) => (await db.group.findMany({ where: { id: { in: found } } })).map(groupFrom),
    count: () => db.group.count({ where, take: COUNTED_MAX + 1 }),
  });
}

async function visible(
  db: Db,
  { open, viewerId, memberOnly, minLevel, now }: GroupFilter,
): Promise<Prisma.GroupWhereInput> {
  if (open === null && !memberOnly) return {};
  const isOpen = { visibility: { in: [...(open ?? [])] } };
  if (viewerId === null) return memberOnly ? anyOf([]) : isOpen;
  const reach = await visibilityFilterOf(db, viewerId, minLevel, now);
  if (memberOnly) return anyOf(visibleGroups(reach));
  return { OR: [isOpen, ...visibleGroups(reach), await ancestorsOfVisible(db, reach)] };
}

/** The groups below which somebody reaches something, as a condition on a group. */
async function ancestorsOfVisible(
  db: Db,
  { projectIds, groups, membership }: VisibilityFilter,
): Promise<Prisma.GroupWhereInput> {
  const inProjects = { members: { some: membership } };
  const asked = { below: { some: { group: { OR: [inProjects, { projects: { some: inProjects } }] } } } };
  if (projectIds === null || groups === null) return asked;
  const projects = await db.project.findMany({
    where: { id: { in: padToPowerOfFour(projectIds) } },
    select: { groupId: true },
  });
  const holding = new Set([...groups.groupIds, ...projects.flatMap(({ groupId }) => groupId ?? [])]);
  if (holding.size > NAMED_MAX) return asked;
  const above = await db.groupAncestor.findMany({
    where: { groupId: { in: padToPowerOfFour([...holding]) } },
    select: { ancestorId: true },
  });
  const ids = named([...new Set(above.map(({ ancestorId }) => ancestorId))]);
  return ids === null ? asked : { id: { in: padToPowerOfFour(ids) } };
}

/** Whether somebody is a member of something below a group, so that they see that it is there. */
export const isVisibleTo = async (db: Db, id: number, filter: GroupFilter): Promise<boolean> =>
  (await db.group.count({ where: { AND: [{ id }, await visible(db, filter)] }, take: 1 })) > 0;
