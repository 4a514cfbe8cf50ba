import type { Db } from "@/kernel/db/db";

/** The ids of these groups and of the first groups below them, `most` in all; one may be there more than once. */
export async function listDescendants(db: Db, groupIds: number[], most: number): Promise<readonly number[]> {
  const rows = await db.groupAncestor.findMany({
    where: { ancestorId: { in: groupIds } },
    // In the order of an index; else the database would sort all of them.
    orderBy: { ancestorId: "asc" },
    select: { groupId: true },
    take: most,
  });
  return rows.map(({ groupId }) => groupId);
}

/** The ids of a group and of all above it. */
export async function listAncestors(db: Db, groupId: number): Promise<readonly number[]> {
  const rows = await db.groupAncestor.findMany({ where: { groupId }, select: { ancestorId: true } });
  return rows.map(({ ancestorId }) => ancestorId);
}

/** Which of these groups have no parent. */
export async function listTopLevel(db: Db, groupIds: number[]): Promise<readonly number[]> {
  const where = { id: { in: groupIds }, parentId: null };
  return (await db.group.findMany({ where, select: { id: true } })).map(({ id }) => id);
}
