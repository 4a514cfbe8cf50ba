import type { Db, Queries } from "@/kernel/db/db";
import type { Prisma, MergeRequest as Row } from "@/kernel/db/generated/sqlite/client";
import { lockRow } from "@/kernel/db/lock";
import type { Reads } from "@/kernel/db/prepared";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageFrom,
  windowOf,
} from "@/kernel/paging/paging";
import { type StoredEvent, storedChangeOf } from "./lifecycle";
import {
  type EditableFields,
  type Merged,
  type MergeLock,
  mergedFields,
  mergeRequestFrom,
  type NewMergeRequest,
  type NextVersion,
  NOT_SCHEDULED,
  type ScheduledMerge,
  searchable,
  UNLOCKED,
} from "./row";
import { type CheckedBranches, type MergeRequest, openKeyOf, type UserKind, type Version } from "./rules";
import * as sql from "./store.sql";

/** Returns the merge request with this number in a project, or null. */
export async function find(reads: Reads, projectId: number, iid: number): Promise<MergeRequest | null> {
  const row = await sql.findByNumber(reads, projectId, iid);
  return row && ((await withRelations(reads, [row]))[0] ?? null);
}

/** Returns the merge request with this id, or null. */
export async function findById(reads: Reads, id: number): Promise<MergeRequest | null> {
  return (await findByIds(reads, [id]))[0] ?? null;
}

/** Returns the merge requests with these ids, in any order. */
export const findByIds = async (reads: Reads, ids: readonly number[]): Promise<readonly MergeRequest[]> =>
  withRelations(reads, await sql.findByIds(reads, ids));

/** Adds the assignees, reviewers and labels to merge requests. The function runs two queries. */
async function withRelations(
  reads: Reads,
  rows: readonly sql.MergeRequestRow[],
): Promise<readonly MergeRequest[]> {
  const ids = rows.map(({ id }) => id);
  const [people, labels] = await Promise.all([sql.listUsers(reads, ids), sql.listLabels(reads, ids)]);
  const isOf = (id: number) => (related: Readonly<{ mergeRequestId: number }>) =>
    related.mergeRequestId === id;
  return rows.map((row) =>
    mergeRequestFrom({
      ...row,
      people: people.filter(isOf(row.id)),
      labels: labels.filter(isOf(row.id)).map(({ name }) => name),
    }),
  );
}

/** Returns the number of the open merge request with these branches, or null. */
export async function findOpen(
  db: Db,
  branches: Parameters<typeof openKeyOf>[0],
): Promise<Readonly<{ iid: number }> | null> {
  return db.mergeRequest.findUnique({ where: { openKey: openKeyOf(branches) }, select: { iid: true } });
}

/** Returns the newest open merge request from a source branch, or null. */
export async function findOpenFrom(
  { db, reads }: Queries,
  { projectId, sourceBranch }: Readonly<{ projectId: number; sourceBranch: string }>,
): Promise<MergeRequest | null> {
  const where = { projectId, sourceBranch, state: "opened" };
  const orderBy = [{ createdAt: "desc" }, { id: "desc" }] as const;
  const row = await db.mergeRequest.findFirst({ where, orderBy: [...orderBy], select: { id: true } });
  return row && findById(reads, row.id);
}

/** The fields of a merge request that matter for its source branch. */
type RequestFrom = Readonly<{ iid: number; sourceBranch: string; state: string; headSha: string }>;

/** The maximum number of merge requests that `listFrom` returns. */
const FROM_MAX = 100;

/** Returns the newest merge requests from these source branches, newest first. */
export const listFrom = (
  db: Db,
  projectId: number,
  sourceBranches: readonly string[],
): Promise<readonly RequestFrom[]> =>
  db.mergeRequest.findMany({
    where: { projectId, sourceBranch: { in: [...sourceBranches] } },
    select: { iid: true, sourceBranch: true, state: true, headSha: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: FROM_MAX,
  });

/**
 * Inserts a merge request. Call this function in a transaction: the lock on the project serializes the merge request
 * numbers and keeps the copied visibility up to date.
 * @throws P2002 if an open merge request has the same branches.
 */
export async function insert(db: Db, { projectId, ...fields }: NewMergeRequest): Promise<number> {
  await lockRow(db, "Project", projectId);
  const place = { visibility: true, groupId: true, topGroupId: true } as const;
  const project = await db.project.findUniqueOrThrow({ where: { id: projectId }, select: place });
  const last = await db.mergeRequest.aggregate({ where: { projectId }, _max: { iid: true } });
  const row = await db.mergeRequest.create({
    data: {
      ...fields,
      ...searchable(fields),
      ...project,
      projectId,
      iid: (last._max.iid ?? 0) + 1,
      openKey: openKeyOf({ projectId, ...fields }),
      state: "opened",
      updatedAt: fields.createdAt,
    },
  });
  await insertVersion(db, row.id, fields, fields.createdAt);
  return row.id;
}

export async function insertVersion(
  db: Db,
  mergeRequestId: number,
  { headSha, baseSha, startSha, changesCount }: Version,
  createdAt: Date,
): Promise<void> {
  const data = { mergeRequestId, headSha, baseSha, startSha, changesCount, createdAt };
  await db.mergeRequestVersion.create({ data });
}

export type StoredVersion = Version & Readonly<{ id: number; mergeRequestId: number; createdAt: Date }>;

/** Returns a page of the versions of a merge request, newest first. */
export function listVersions(db: Db, mergeRequestId: number, paging: Paging): Promise<Page<StoredVersion>> {
  const where = { mergeRequestId };
  const rows = db.mergeRequestVersion.findMany({
    where: { ...where, ...keysetFilterOf(paging) },
    orderBy: { id: directionOf(paging, true) },
    ...windowOf(paging),
  });
  return pageFrom(paging, rows, () => db.mergeRequestVersion.count({ where, take: COUNTED_MAX + 1 }));
}

export const findVersion = (db: Db, mergeRequestId: number, id: number): Promise<StoredVersion | null> =>
  db.mergeRequestVersion.findUnique({ where: { id, mergeRequestId } });

export type Changes = Readonly<Partial<EditableFields>> &
  Readonly<{
    updatedAt: Date;
    /** Each given list replaces the stored assignees, reviewers or labels. */
    assigneeIds?: readonly number[] | undefined;
    reviewerIds?: readonly number[] | undefined;
    labels?: readonly string[] | undefined;
  }>;

/** Updates fields of a merge request. Call this function in a transaction. */
export async function update(db: Db, id: number, changes: Changes): Promise<void> {
  const { assigneeIds, reviewerIds, labels, title, description, ...rest } = changes;
  await db.mergeRequest.updateMany({ where: { id }, data: rest });
  if (title !== undefined || description !== undefined) await setTexts(db, id, { title, description });
  if (assigneeIds !== undefined) await setUsers(db, id, "assignee", assigneeIds);
  if (reviewerIds !== undefined) await setUsers(db, id, "reviewer", reviewerIds);
  if (labels !== undefined) await setLabels(db, id, labels);
}

type Texts = Readonly<{ title: string | undefined; description: string | undefined }>;

/**
 * The search text consists of the title and the description. If only one of these fields changes, the other field is
 * read after the update has locked the row.
 */
async function setTexts(db: Db, id: number, { title, description }: Texts): Promise<void> {
  const select = { title: true, description: true } as const;
  const row = await db.mergeRequest.findUnique({ where: { id }, select });
  if (row === null) return;
  const data = searchable({ title: title ?? row.title, description: description ?? row.description });
  await db.mergeRequest.updateMany({ where: { id }, data });
}

async function setUsers(db: Db, mergeRequestId: number, kind: UserKind, userIds: readonly number[]) {
  await db.mergeRequestPerson.deleteMany({ where: { mergeRequestId, kind } });
  await db.mergeRequestPerson.createMany({
    data: [...new Set(userIds)].map((userId) => ({ mergeRequestId, kind, userId })),
  });
}

async function setLabels(db: Db, mergeRequestId: number, labels: readonly string[]) {
  await db.mergeRequestLabel.deleteMany({ where: { mergeRequestId } });
  await db.mergeRequestLabel.createMany({
    data: [...new Set(labels)].map((name) => ({ mergeRequestId, name })),
  });
}

/** Returns only the users who exist and are not blocked. */
export async function activeUserIds(db: Db, userIds: readonly number[]): Promise<readonly number[]> {
  const where = { id: { in: [...new Set(userIds)] }, state: "active" };
  return (await db.user.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/**
 * Applies a lifecycle event to a row. @returns false if the current state of the merge request does not allow the
 * event.
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
 * Changes the target branch, resets the mergeability and cancels auto-merge.
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
 * Returns the condition that the head and the target branch of a row have not changed since the branches were
 * compared.
 */
const endsOf = ({ id, headSha, targetBranch }: Ends) => ({ id, headSha, targetBranch });

/**
 * Stores the result of a comparison. @returns false if the head has changed, or the merge request is no longer open.
 */
export const setChecked = (db: Db, mergeRequest: Ends, checked: CheckedBranches): Promise<boolean> =>
  change(db, "record_branches", endsOf(mergeRequest), checked);

/**
 * Records a new version. Call this function in a transaction.
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
 * @param headSha the new head; if auto-merge was enabled for this head, or for any head, it is not canceled.
 * @returns false if auto-merge was not enabled or was not canceled.
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

/** Locks a merge request. @returns true for exactly one of several simultaneous callers. */
export const beginMerge = (
  db: Db,
  mergeRequest: Ends,
  { at, byId, squash, removesSource }: MergeLock,
): Promise<boolean> => {
  const data = { lockedAt: at, lockedById: byId, squash, removesSource, mergeError: null };
  return change(db, "begin_merge", endsOf(mergeRequest), data);
};

/**
 * Records the planned commits before the target branch moves, so that `releaseStaleLock` can detect a finished merge.
 * @returns false if the lock has been released.
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

/** Records a merge and releases the lock. @returns false if the lock had already been released. */
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

/** The stored heads of an open merge request. `isWaiting` is true if auto-merge is enabled. */
export type OpenMergeRequest = Readonly<
  Pick<Row, "id" | "sourceBranch" | "targetBranch" | "headSha" | "checkedSha"> & { isWaiting: boolean }
>;

/** Returns the open merge requests of a project, newest first. */
export async function listOpen(
  db: Db,
  projectId: number,
  most: number,
): Promise<readonly OpenMergeRequest[]> {
  const branches = { sourceBranch: true, targetBranch: true, headSha: true, checkedSha: true };
  const rows = await db.mergeRequest.findMany({
    where: { projectId, state: "opened" },
    select: { id: true, autoMergeAt: true, ...branches },
    orderBy: { id: "desc" },
    take: most,
  });
  return rows.map(({ autoMergeAt, ...row }) => ({ ...row, isWaiting: autoMergeAt !== null }));
}

/**
 * Resets the mergeability of merge requests. Call this function in a transaction: the lock on the project prevents
 * deadlocks between updates.
 */
export async function uncheck(db: Db, projectId: number, ids: readonly number[]): Promise<void> {
  await lockRow(db, "Project", projectId);
  const where = { id: { in: [...ids] }, state: "opened" };
  await db.mergeRequest.updateMany({ where, data: { mergeability: "unchecked" } });
}

/** Resets the mergeability of all open merge requests into a branch. Call this function in a transaction. */
export async function uncheckInto(db: Db, projectId: number, targetBranch: string): Promise<void> {
  await lockRow(db, "Project", projectId);
  const where = { projectId, state: "opened", targetBranch };
  await db.mergeRequest.updateMany({ where, data: { mergeability: "unchecked" } });
}

/** Deletes at most `most` merge requests of an author. @returns the number of merge requests. */
export async function deleteSomeOf(db: Db, authorId: number, most: number): Promise<number> {
  const rows = await db.mergeRequest.findMany({ where: { authorId }, select: { id: true }, take: most });
  await db.mergeRequest.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  return rows.length;
}

/** Stores the new groups of a project in its merge requests. The caller holds a lock on the project. */
export async function setGroups(
  db: Db,
  projectId: number,
  groups: Readonly<{ groupId: number | null; topGroupId: number | null }>,
): Promise<void> {
  await db.mergeRequest.updateMany({ where: { projectId }, data: groups });
}

/**
 * Replaces a user in at most `most` merge requests as the author, as the user who merged, and as the user who closed.
 * @returns the largest number of replaced rows of one kind.
 */
export async function replaceUser(db: Db, from: number, to: number, most: number): Promise<number> {
  const counts: number[] = [];
  for (const column of ["authorId", "mergeUserId", "closedById"] as const) {
    const where = { [column]: from };
    const rows = await db.mergeRequest.findMany({ where, select: { id: true }, take: most });
    await db.mergeRequest.updateMany({
      where: { id: { in: rows.map(({ id }) => id) } },
      data: { [column]: to },
    });
    counts.push(rows.length);
  }
  return Math.max(...counts);
}
