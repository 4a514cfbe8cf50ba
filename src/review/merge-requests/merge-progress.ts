import type { Db } from "@/kernel/db/db";
import type { MergeRequest } from "./rules";

/** As it is once it is not to be merged by itself any more. */
export const NO_AUTO_MERGE = {
  autoMergeAt: null,
  autoMergeSha: null,
  mergeMessage: null,
  squashMessage: null,
};

export type AutoMerge = Readonly<{
  at: Date;
  sha: string | null;
  userId: number;
  squash: boolean;
  removesSource: boolean;
  mergeMessage: string | null;
  squashMessage: string | null;
}>;

/** @returns false when it is not open any more. */
export async function setAutoMerge(
  db: Db,
  id: number,
  { at, sha, userId, ...more }: AutoMerge,
): Promise<boolean> {
  const data = { autoMergeAt: at, autoMergeSha: sha, mergeUserId: userId, mergeError: null, updatedAt: at };
  const where = { id, state: "opened" };
  return (await db.mergeRequest.updateMany({ where, data: { ...data, ...more } })).count === 1;
}

/** @returns false when it was not to be merged by itself. @param mergeError why it is not any more. */
export async function clearAutoMerge(
  db: Db,
  id: number,
  now: Date,
  mergeError: string | null,
): Promise<boolean> {
  const where = { id, state: "opened", autoMergeAt: { not: null } };
  const data = { ...NO_AUTO_MERGE, mergeUserId: null, mergeError, updatedAt: now };
  return (await db.mergeRequest.updateMany({ where, data })).count === 1;
}

export type Lock = Readonly<{
  at: Date;
  byId: number;
  squash: boolean;
  removesSource: boolean;
}>;

/** True for exactly one of any number of callers, until it is unlocked. Both ends must be those that were looked at. */
export async function lock(
  db: Db,
  { id, headSha, targetBranch }: Pick<MergeRequest, "id" | "headSha" | "targetBranch">,
  { at, byId, squash, removesSource }: Lock,
): Promise<boolean> {
  const where = { id, state: "opened", headSha, targetBranch };
  const data = { state: "locked", lockedAt: at, lockedById: byId, squash, removesSource, mergeError: null };
  return (await db.mergeRequest.updateMany({ where, data })).count === 1;
}

const heldSince = (id: number, at: Date) => ({ id, state: "locked", lockedAt: at });

/**
 * Writes down what is about to be put on the target branch, so that whoever finds this after a crash can tell whether it
 * was. @returns false when the lock has been taken away.
 */
export async function plan(
  db: Db,
  id: number,
  lock: Readonly<{ since: Date; now: Date }>,
  { mergeCommitSha, squashCommitSha }: Pick<MergeRequest, "mergeCommitSha" | "squashCommitSha">,
): Promise<boolean> {
  const data = { mergeCommitSha, squashCommitSha, lockedAt: lock.now };
  return (await db.mergeRequest.updateMany({ where: heldSince(id, lock.since), data })).count === 1;
}

/** @returns false when the lock has been taken away. */
export async function unlock(db: Db, id: number, since: Date, mergeError: string | null): Promise<boolean> {
  const data = { state: "opened", lockedAt: null, lockedById: null, mergeError, mergeability: "unchecked" };
  const nothing = { mergeCommitSha: null, squashCommitSha: null };
  const where = heldSince(id, since);
  return (await db.mergeRequest.updateMany({ where, data: { ...data, ...nothing } })).count === 1;
}

type Merged = Readonly<{ mergeUserId: number | null; mergedAt: Date }>;

const merged = ({ mergeUserId, mergedAt }: Merged) => ({
  ...{ state: "merged", openKey: null, lockedAt: null, lockedById: null, ...NO_AUTO_MERGE },
  ...{ mergeUserId, mergedAt, updatedAt: mergedAt, mergeError: null },
});

/** @returns false when the lock has been taken away. */
export async function setMerged(db: Db, id: number, since: Date, by: Merged): Promise<boolean> {
  return (await db.mergeRequest.updateMany({ where: heldSince(id, since), data: merged(by) })).count === 1;
}

/** The same for one whose commits have come into its target otherwise. @returns false when it has changed meanwhile. */
export async function setArrived(
  db: Db,
  { id, headSha, targetBranch }: Pick<MergeRequest, "id" | "headSha" | "targetBranch">,
  { mergeCommitSha, ...by }: Merged & Pick<MergeRequest, "mergeCommitSha">,
): Promise<boolean> {
  const where = { id, state: "opened", headSha, targetBranch };
  return (await db.mergeRequest.updateMany({ where, data: { ...merged(by), mergeCommitSha } })).count === 1;
}

export async function setMergeError(db: Db, id: number, mergeError: string | null): Promise<void> {
  await db.mergeRequest.updateMany({ where: { id }, data: { mergeError } });
}
