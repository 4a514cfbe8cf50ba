import type { Db } from "@/kernel/db/db";

/** A branch, and the head of the branch after a push. */
export type PushedBranch = Readonly<{ branch: string; headSha: string }>;

/**
 * The maximum number of rows in one statement, because databases limit the number of parameters in a
 * statement.
 */
const ROWS_PER_STATEMENT = 500;

export async function insertPushes(
  db: Db,
  push: Readonly<{ projectId: number; userId: number; pushedAt: Date }>,
  branches: readonly PushedBranch[],
): Promise<void> {
  for (let at = 0; at < branches.length; at += ROWS_PER_STATEMENT) {
    const data = branches.slice(at, at + ROWS_PER_STATEMENT).map((branch) => ({ ...push, ...branch }));
    await db.branchPush.createMany({ data });
  }
}

/**
 * Clears the branch name of the recorded heads of deleted branches, so that later branches with the same
 * names do not inherit the recorded heads.
 */
export async function releaseBranches(db: Db, projectId: number, branches: readonly string[]): Promise<void> {
  for (let at = 0; at < branches.length; at += ROWS_PER_STATEMENT) {
    const where = { projectId, branch: { in: branches.slice(at, at + ROWS_PER_STATEMENT) } };
    await db.branchPush.updateMany({ where, data: { branch: null } });
  }
}

/** Returns the ids of the users who have pushed one of these heads to any branch of the project. */
export async function pushersOfHeads(
  db: Db,
  projectId: number,
  headShas: readonly string[],
): Promise<readonly number[]> {
  const where = { projectId, headSha: { in: [...headShas] } };
  const rows = await db.branchPush.findMany({ where, select: { userId: true }, distinct: ["userId"] });
  return rows.map(({ userId }) => userId);
}

/** Returns the newest heads that were pushed to a branch, each with the user who pushed the head. */
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

/**
 * Replaces the recorded user of at most `most` recorded pushes with another user.
 * @returns the number of changed records.
 */
export async function replacePusher(db: Db, from: number, to: number, most: number): Promise<number> {
  const rows = await db.branchPush.findMany({ where: { userId: from }, select: { id: true }, take: most });
  await db.branchPush.updateMany({
    where: { id: { in: rows.map(({ id }) => id) } },
    data: { userId: to },
  });
  return rows.length;
}
