import type { Db } from "@/kernel/db/db";

/** A branch with the commit that a push made its head. */
export type PushedBranch = Readonly<{ branch: string; headSha: string }>;

/** Databases bound the values of one statement. */
const ROWS_AT_ONCE = 500;

export async function insertPushes(
  db: Db,
  push: Readonly<{ projectId: number; userId: number; pushedAt: Date }>,
  branches: readonly PushedBranch[],
): Promise<void> {
  for (let at = 0; at < branches.length; at += ROWS_AT_ONCE) {
    const data = branches.slice(at, at + ROWS_AT_ONCE).map((branch) => ({ ...push, ...branch }));
    await db.branchPush.createMany({ data });
  }
}

/** A later branch with one of these names is another branch. The heads keep their users. */
export async function releaseBranches(db: Db, projectId: number, branches: readonly string[]): Promise<void> {
  for (let at = 0; at < branches.length; at += ROWS_AT_ONCE) {
    const where = { projectId, branch: { in: branches.slice(at, at + ROWS_AT_ONCE) } };
    await db.branchPush.updateMany({ where, data: { branch: null } });
  }
}

/** The users who have pushed one of these heads, to whichever branch of the project. */
export async function pushersOfHeads(
  db: Db,
  projectId: number,
  headShas: readonly string[],
): Promise<readonly number[]> {
  const where = { projectId, headSha: { in: [...headShas] } };
  const rows = await db.branchPush.findMany({ where, select: { userId: true }, distinct: ["userId"] });
  return rows.map(({ userId }) => userId);
}

/** The newest heads that were pushed to a branch, each with its user. */
export const pushesTo = (
  db: Db,
  projectId: number,
  branch: string,
  most: number,
): Promise<readonly Readonly<{ headSha: string; userId: number }>[]> =>
  db.branchPush.findMany({
    where: { projectId, branch },
    select: { headSha: true, userId: true },
    orderBy: { id: "desc" },
    take: most,
  });
