import { padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import * as store from "./store";

/** The same as `NAMED_MAX`, of groups. */
export const GROUPS_NAMED_MAX = 64;

/** Some groups with all that lie below them. */
export type Descendants = Readonly<{
  groupIds: readonly number[];
  /** With those below. Null: too many to be named. */
  allIds: readonly number[] | null;
  /** Those at the top of their paths; where all are named, these need not be. */
  topIds: readonly number[];
}>;

/** A condition on the group of a row, whatever its table. */
export type InGroup = Readonly<{ groupId: { in: number[] } } | { group: Prisma.GroupWhereInput }>;

/** The same on a project, or on a row that copies the groups of its project. */
export type ProjectInGroup = InGroup | Readonly<{ topGroupId: { in: number[] } }>;

/** Two queries at most; none where there are no groups. */
export async function descendantsOf(db: Db, groupIds: readonly number[]): Promise<Descendants> {
  if (groupIds.length === 0) return { groupIds, allIds: [], topIds: [] };
  const named = padToPowerOfFour(groupIds);
  const allIds = await store.listDescendants(db, named, GROUPS_NAMED_MAX + 1);
  if (allIds.length <= GROUPS_NAMED_MAX) return { groupIds, allIds: [...new Set(allIds)], topIds: [] };
  return { groupIds, allIds: null, topIds: await store.listTopLevel(db, named) };
}

/** A group and all above it: as many as a path has segments, at most. One query; none for no group. */
export const ancestorsOf = async (db: Db, groupId: number | null): Promise<readonly number[]> =>
  groupId === null ? [] : store.listAncestors(db, groupId);

/**
 * Conditions on what has a group, any of which says that it lies in one of these. The group of a row itself is looked
 * at first: most of what lies below a group lies right there.
 */
export function inGroups({ groupIds, allIds }: Descendants): readonly InGroup[] {
  if (allIds !== null) return allIds.length === 0 ? [] : [{ groupId: { in: padToPowerOfFour(allIds) } }];
  return [{ groupId: { in: padToPowerOfFour(groupIds) } }, { group: below(groupIds) }];
}

/** The same on a project, which knows the group at the top of its path. */
export function projectsInGroups({ groupIds, allIds, topIds }: Descendants): readonly ProjectInGroup[] {
  if (allIds !== null || topIds.length === 0) return inGroups({ groupIds, allIds, topIds });
  const others = groupIds.filter((id) => !topIds.includes(id));
  return [
    { topGroupId: { in: padToPowerOfFour(topIds) } },
    ...(others.length === 0 ? [] : inGroups({ groupIds: others, allIds, topIds })),
  ];
}

/** The same on a group. */
export function amongGroups({ groupIds, allIds }: Descendants): readonly Prisma.GroupWhereInput[] {
  if (allIds !== null) return allIds.length === 0 ? [] : [{ id: { in: padToPowerOfFour(allIds) } }];
  const named = { in: padToPowerOfFour(groupIds) };
  return [{ id: named }, { parentId: named }, below(groupIds)];
}

const below = (groupIds: readonly number[]) => ({
  above: { some: { ancestorId: { in: padToPowerOfFour(groupIds) } } },
});
