import type { Db } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import { lockRow } from "@/kernel/db/lock";
import { type StoredEvent, storedChangeOf } from "./lifecycle";
import {
  type Merged,
  type MergeLock,
  mergedFields,
  type NextVersion,
  NOT_SCHEDULED,
  type ScheduledMerge,
  UNLOCKED,
} from "./row";
import { type CheckedBranches, type MergeRequest, openKeyOf } from "./rules";
import { insertVersion } from "./version-store";

/**
 * Applies a lifecycle event to the row of a merge request.
 * @returns false if the current state of the merge request does not allow the event.
 */
async function change(
  db: Db,
  event: StoredEvent,
  where: Prisma.MergeRequestWhereInput,
  data: Prisma.MergeRequestUncheckedUpdateManyInput,
): Promise<boolean> {
  const { from, to } = storedChangeOf(event);
  const { count } = await db.mergeRequest.updateMany({
    where: { ...where, state: from },
    data: { ...data, state: to },
  });
  return count === 1;
}

/** Closes an open merge request. @returns false if the merge request is no longer open. */
export const close = (db: Db, id: number, closedById: number, now: Date): Promise<boolean> =>
  change(
    db,
    "close",
    { id },
    {
      ...{ openKey: null, closedById, closedAt: now, updatedAt: now },
      ...NOT_SCHEDULED,
      mergeUserId: null,
    },
  );

/**
 * Reopens a closed merge request.
 * @returns false if the merge request is no longer closed, or has another target branch.
 * @throws P2002 if an open merge request has the same branches.
 */
export const reopen = (
  db: Db,
  { id, project, sourceBranch, targetBranch }: MergeRequest,
  now: Date,
): Promise<boolean> => {
  const openKey = openKeyOf({ projectId: project.id, sourceBranch, targetBranch });
  const data = { openKey, closedById: null, closedAt: null, mergeability: "unchecked", updatedAt: now };
  return change(db, "reopen", { id, targetBranch }, data);
};

/**
 * Changes the target branch of a merge request, resets the mergeability and cancels auto-merge.
 * @returns false if a merge is in progress or finished.
 * @throws P2002 if another open merge request has the same branches.
 */
export async function retarget(
  db: Db,
  { id, project, sourceBranch }: MergeRequest,
  targetBranch: string,
): Promise<boolean> {
  const openKey = openKeyOf({ projectId: project.id, sourceBranch, targetBranch });
  const data = { targetBranch, mergeability: "unchecked", checkedSha: null };
  const open = await db.mergeRequest.updateMany({
    where: { id, state: "opened" },
    data: { ...data, openKey, ...NOT_SCHEDULED, mergeUserId: null },
  });
  if (open.count === 1) return true;
  return (await db.mergeRequest.updateMany({ where: { id, state: "closed" }, data })).count === 1;
}

type Ends = Pick<MergeRequest, "id" | "headSha" | "targetBranch">;

/**
 * Returns a query condition that no longer matches the row of a merge request if its head or its target
 * branch has changed since the merge request was read.
 */
const endsOf = ({ id, headSha, targetBranch }: Ends) => ({ id, headSha, targetBranch });

/**
 * Stores the result of a comparison of the source branch with the target branch.
 * @returns false if the head has changed, or the merge request is no longer open.
 */
export const setChecked = (db: Db, mergeRequest: Ends, checked: CheckedBranches): Promise<boolean> =>
  change(db, "record_branches", endsOf(mergeRequest), checked);

/**
 * Records a new version of a merge request. Call this function in a transaction.
 * @returns false if the merge request has changed since it was read.
 */
export async function setVersion(
  db: Db,
  mergeRequest: MergeRequest,
  next: NextVersion,
  now: Date,
): Promise<boolean> {
  const where = { ...endsOf(mergeRequest), checkedSha: mergeRequest.checkedSha };
  const data = { ...next, mergeError: null, updatedAt: now };
  const isRecorded = await change(db, "record_branches", where, data);
  if (isRecorded) await insertVersion(db, mergeRequest.id, next, now);
  return isRecorded;
}

/** Enables auto-merge. @returns false if the merge request has another head or target branch, or is no longer open. */
export const scheduleMerge = (
  db: Db,
  mergeRequest: Ends,
  { at, sha, userId, ...terms }: ScheduledMerge,
): Promise<boolean> => {
  const data = { autoMergeAt: at, autoMergeSha: sha, mergeUserId: userId, mergeError: null, updatedAt: at };
  return change(db, "schedule_merge", endsOf(mergeRequest), { ...data, ...terms });
};

/**
 * Cancels auto-merge.
 * @param mergeError the reason for the cancellation.
 * @param headSha the new head. Auto-merge is not canceled if it was enabled for this head or for every head.
 * @returns false if auto-merge was not enabled, or stays enabled.
 */
export const cancelScheduledMerge = (
  db: Db,
  id: number,
  now: Date,
  mergeError: string | null,
  headSha?: string,
): Promise<boolean> =>
  change(
    db,
    "cancel_scheduled_merge",
    { id, autoMergeAt: { not: null }, ...(headSha === undefined ? {} : { autoMergeSha: { not: headSha } }) },
    { ...NOT_SCHEDULED, mergeUserId: null, mergeError, updatedAt: now },
  );

/** Locks a merge request for a merge. @returns true for exactly one of several simultaneous callers. */
export const beginMerge = (
  db: Db,
  mergeRequest: Ends,
  { at, byId, squash, removesSource }: MergeLock,
): Promise<boolean> => {
  const data = { lockedAt: at, lockedById: byId, squash, removesSource, mergeError: null };
  return change(db, "begin_merge", endsOf(mergeRequest), data);
};

/**
 * Records the planned commits of a merge before the target branch is updated, so that `releaseStaleLock` can
 * detect a finished merge.
 * @returns false if another request has already released the lock.
 */
export async function recordPlan(
  db: Db,
  id: number,
  { since, now }: Readonly<{ since: Date; now: Date }>,
  { mergeCommitSha, squashCommitSha }: Pick<MergeRequest, "mergeCommitSha" | "squashCommitSha">,
): Promise<boolean> {
  const where = { id, state: "locked", lockedAt: since };
  const data = { mergeCommitSha, squashCommitSha, lockedAt: now };
  return (await db.mergeRequest.updateMany({ where, data })).count === 1;
}

/** Releases the lock of an aborted merge. @returns false if the lock had already been released. */
export const abortMerge = (db: Db, id: number, since: Date): Promise<boolean> => {
  const data = { ...UNLOCKED, mergeError: null, mergeability: "unchecked" };
  const unplanned = { mergeCommitSha: null, squashCommitSha: null };
  return change(db, "abort_merge", { id, lockedAt: since }, { ...data, ...unplanned });
};

/**
 * Records a merge and releases the lock on the merge request.
 * @returns false if the lock had already been released.
 */
export const finishMerge = (db: Db, id: number, since: Date, merged: Merged): Promise<boolean> =>
  change(db, "finish_merge", { id, lockedAt: since }, mergedFields(merged));

/** Records that a push has merged the merge request. @returns false if the row has changed since it was read. */
export const markMergedByPush = (
  db: Db,
  mergeRequest: Ends,
  { mergeCommitSha, ...merged }: Merged & Pick<MergeRequest, "mergeCommitSha">,
): Promise<boolean> => {
  const data = { ...mergedFields(merged), mergeCommitSha };
  return change(db, "mark_merged_by_push", endsOf(mergeRequest), data);
};

export async function setMergeError(db: Db, id: number, mergeError: string | null): Promise<void> {
  await db.mergeRequest.updateMany({ where: { id }, data: { mergeError } });
}

/**
 * Resets the mergeability of merge requests. Call this function in a transaction: the function locks the
 * project, which prevents deadlocks between concurrent updates.
 */
export async function uncheck(db: Db, projectId: number, ids: readonly number[]): Promise<void> {
  await lockRow(db, "Project", projectId);
  const where = { id: { in: [...ids] }, state: "opened" };
  await db.mergeRequest.updateMany({ where, data: { mergeability: "unchecked" } });
}

/**
 * Resets the mergeability of all open merge requests with this target branch. Call this function in a
 * transaction.
 */
export async function uncheckInto(db: Db, projectId: number, targetBranch: string): Promise<void> {
  await lockRow(db, "Project", projectId);
  const where = { projectId, state: "opened", targetBranch };
  await db.mergeRequest.updateMany({ where, data: { mergeability: "unchecked" } });
}
