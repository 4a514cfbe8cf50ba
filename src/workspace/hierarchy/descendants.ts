import { padToPowerOfFour } from "@/kernel/db/conditions";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import type { Reads } from "@/kernel/db/prepared";
import * as store from "./store.sql";

/**
 * The maximum number of group ids in a query condition. The constant `NAMED_MAX` limits lists of other ids.
 */
export const GROUPS_NAMED_MAX = 64;

/** A list of groups, together with the ids of their descendants. */
export type Descendants = Readonly<{
  groupIds: readonly number[];
  /** The ids of the groups and of all their descendants; null if there are more than `GROUPS_NAMED_MAX`. */
  allIds: readonly number[] | null;
  /** The ids of the groups in the list that have no parent group; empty if `allIds` is not null. */
  topIds: readonly number[];
}>;

/** A query condition that selects the rows of a group by the column `groupId`, which the table must have. */
export type InGroup = Readonly<{ groupId: { in: number[] } } | { group: Prisma.GroupWhereInput }>;

/**
 * A query condition on the column `groupId` or `topGroupId`. The condition applies to the table of projects,
 * or to a table that stores copies of the columns `groupId` and `topGroupId` of projects.
 */
export type ProjectInGroup = InGroup | Readonly<{ topGroupId: { in: number[] } }>;

/** Returns the descendants of groups. The function runs at most two queries. */
export async function descendantsOf(reads: Reads, groupIds: readonly number[]): Promise<Descendants> {
  if (groupIds.length === 0) return { groupIds, allIds: [], topIds: [] };
  const allIds = await store.listDescendants(reads, groupIds, GROUPS_NAMED_MAX + 1);
  if (allIds.length <= GROUPS_NAMED_MAX) return { groupIds, allIds: [...new Set(allIds)], topIds: [] };
  return { groupIds, allIds: null, topIds: await store.listTopLevel(reads, groupIds) };
}

/** Returns the ids of a group and its ancestors. The function runs at most one query. */
export const ancestorsOf = async (reads: Reads, groupId: number | null): Promise<readonly number[]> =>
  groupId === null ? [] : store.listAncestors(reads, { groupIds: [groupId] });

/**
 * Returns the ids of the given groups, of the groups to which the given projects belong, and of all ancestors of
 * these groups. The function runs one query.
 */
export const ancestorsOfAll = store.listAncestors;

/**
 * Returns query conditions, to be combined by OR, that select the rows in the groups or their descendants.
 * The first condition compares only the column `groupId`, because most rows belong directly to one of the
 * given groups.
 */
export function inGroups({ groupIds, allIds }: Descendants): readonly InGroup[] {
  if (allIds !== null) return allIds.length === 0 ? [] : [{ groupId: { in: padToPowerOfFour(allIds) } }];
  return [{ groupId: { in: padToPowerOfFour(groupIds) } }, { group: isDescendantOf(groupIds) }];
}

/**
 * Returns query conditions, to be combined by OR, that select the projects in the groups or their
 * descendants. Projects store the id of their top-level group.
 */
export function projectsInGroups({ groupIds, allIds, topIds }: Descendants): readonly ProjectInGroup[] {
  if (allIds !== null || topIds.length === 0) return inGroups({ groupIds, allIds, topIds });
  const others = groupIds.filter((id) => !topIds.includes(id));
  return [
    { topGroupId: { in: padToPowerOfFour(topIds) } },
    ...(others.length === 0 ? [] : inGroups({ groupIds: others, allIds, topIds })),
  ];
}

/** Returns query conditions, to be combined by OR, that select the groups and their descendants. */
export function amongGroups({ groupIds, allIds }: Descendants): readonly Prisma.GroupWhereInput[] {
  if (allIds !== null) return allIds.length === 0 ? [] : [{ id: { in: padToPowerOfFour(allIds) } }];
  const named = { in: padToPowerOfFour(groupIds) };
  return [{ id: named }, { parentId: named }, isDescendantOf(groupIds)];
}

const isDescendantOf = (groupIds: readonly number[]) => ({
  above: { some: { ancestorId: { in: padToPowerOfFour(groupIds) } } },
});
