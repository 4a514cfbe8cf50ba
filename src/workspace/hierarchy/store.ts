import type { Db } from "@/kernel/db/db";

/** Returns up to `most` ids of the groups and their descendants. The list may contain duplicates. */
export async function listDescendants(db: Db, groupIds: number[], most: number): Promise<readonly number[]> {
  const rows = await db.groupAncestor.findMany({
    where: { ancestorId: { in: groupIds } },
    // The order follows an index. Any other order would sort all rows.
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

/** Returns the ids of those groups that have no parent. */
export async function listTopLevel(db: Db, groupIds: number[]): Promise<readonly number[]> {
  const where = { id: { in: groupIds }, parentId: null };
  return (await db.group.findMany({ where, select: { id: true } })).map(({ id }) => id);
}
