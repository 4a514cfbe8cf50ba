import type { Db } from "@/kernel/db/db";

/** Returns at most `most` ids of groups and their descendants, possibly with duplicates. */
export async function listDescendants(db: Db, groupIds: number[], most: number): Promise<readonly number[]> {
  const rows = await db.groupAncestor.findMany({
    where: { ancestorId: { in: groupIds } },
    // The order of an index: any other order would sort all rows.
    orderBy: { ancestorId: "asc" },
    select: { groupId: true },
    take: most,
  });
  return rows.map(({ groupId }) => groupId);
}

/** Returns the ids of a group and its ancestors. */
export async function listAncestors(db: Db, groupId: number): Promise<readonly number[]> {
  const rows = await db.groupAncestor.findMany({ where: { groupId }, select: { ancestorId: true } });
  return rows.map(({ ancestorId }) => ancestorId);
}

/** Returns the ids of the groups without a parent. */
export async function listTopLevel(db: Db, groupIds: number[]): Promise<readonly number[]> {
  const where = { id: { in: groupIds }, parentId: null };
  return (await db.group.findMany({ where, select: { id: true } })).map(({ id }) => id);
}
