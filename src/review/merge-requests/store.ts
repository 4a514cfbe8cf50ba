import type { Db } from "@/kernel/db/db";
import type { Prisma, MergeRequest as Row } from "@/kernel/db/generated/sqlite/client";
import { lockRow } from "@/kernel/db/lock";
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
  include,
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

export async function find(db: Db, projectId: number, iid: number): Promise<MergeRequest | null> {
  const row = await db.mergeRequest.findUnique({ where: { projectId_iid: { projectId, iid } }, include });
  return row && mergeRequestFrom(row);
}

export async function findById(db: Db, id: number): Promise<MergeRequest | null> {
  const row = await db.mergeRequest.findUnique({ where: { id }, include });
  return row && mergeRequestFrom(row);
}

/** The merge requests with these ids, in any order. */
export const findByIds = async (db: Db, ids: readonly number[]): Promise<readonly MergeRequest[]> =>
  (await db.mergeRequest.findMany({ where: { id: { in: [...ids] } }, include })).map(mergeRequestFrom);

/** The open one of these branches, which is one at most. */
export async function findOpen(
  db: Db,
  branches: Parameters<typeof openKeyOf>[0],
): Promise<Readonly<{ iid: number }> | null> {
  return db.mergeRequest.findUnique({ where: { openKey: openKeyOf(branches) }, select: { iid: true } });
}

/** The newest open merge request from a branch to any other. */
export async function findOpenFrom(
  db: Db,
  { projectId, sourceBranch }: Readonly<{ projectId: number; sourceBranch: string }>,
): Promise<MergeRequest | null> {
  const where = { projectId, sourceBranch, state: "opened" };
  const orderBy = [{ createdAt: "desc" }, { id: "desc" }] as const;
  const row = await db.mergeRequest.findFirst({ where, orderBy: [...orderBy], include });
  return row && mergeRequestFrom(row);
}

/**
 * Must run in a transaction: until it ends, no other merge request of the project gets a number, and the visibility
 * that it copies stays.
 * @throws P2002 when there is an open one of these branches.
 */
export async function insert(db: Db, { projectId, ...one }: NewMergeRequest): Promise<number> {
  await lockRow(db, "Project", projectId);
  const place = { visibility: true, groupId: true, topGroupId: true } as const;
  const project = await db.project.findUniqueOrThrow({ where: { id: projectId }, select: place });
  const last = await db.mergeRequest.aggregate({ where: { projectId }, _max: { iid: true } });
  const row = await db.mergeRequest.create({
    data: {
      ...one,
      ...searchable(one),
      ...project,
      projectId,
      iid: (last._max.iid ?? 0) + 1,
      openKey: openKeyOf({ projectId, ...one }),
      state: "opened",
      updatedAt: one.createdAt,
    },
  });
  await insertVersion(db, row.id, one, one.createdAt);
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

/** A part of the versions, the newest first. */
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
    /** These alone look after it, or are asked to read it, from now on. */
    assigneeIds?: readonly number[] | undefined;
    reviewerIds?: readonly number[] | undefined;
    labels?: readonly string[] | undefined;
  }>;

/** Changes fields of a merge request, in a transaction: until it ends, no other transaction does. */
export async function update(db: Db, id: number, changes: Changes): Promise<void> {
  const { assigneeIds, reviewerIds, labels, title, description, ...rest } = changes;
  await db.mergeRequest.updateMany({ where: { id }, data: rest });
  if (title !== undefined || description !== undefined) await setTexts(db, id, { title, description });
  if (assigneeIds !== undefined) await setUsers(db, id, "assignee", assigneeIds);
  if (reviewerIds !== undefined) await setUsers(db, id, "reviewer", reviewerIds);
  if (labels !== undefined) await setLabels(db, id, labels);
}

type Texts = Readonly<{ title: string | undefined; description: string | undefined }>;

/** The text for searching consists of both fields: the unchanged one is read after the update has locked the row. */
async function setTexts(db: Db, id: number, { title, description }: Texts): Promise<void> {
  const select = { title: true, description: true } as const;
  const kept = await db.mergeRequest.findUnique({ where: { id }, select });
  if (kept === null) return;
  const data = searchable({ title: title ?? kept.title, description: description ?? kept.description });
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

/** Which of these people there are and may sign in. */
export async function activeUserIds(db: Db, userIds: readonly number[]): Promise<readonly number[]> {
  const where = { id: { in: [...new Set(userIds)] }, state: "active" };
  return (await db.user.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** Changes one row by an event of its life cycle. @returns false where its state does not accept the event. */
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

/** @returns false when it is not open any more. */
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
 * @returns false when it is not closed any more, or has another target branch by now.
 * @throws P2002 when another one of its branches is open.
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
 * Changes the target branch, whose merge nobody has checked yet, and cancels a merge that was scheduled into the one
 * before.
 * @returns false when it is being merged, or has been.
 * @throws P2002 when it is open, and another one of these branches is.
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

/** The row while both of its branches are those that were compared. */
const endsOf = ({ id, headSha, targetBranch }: Ends) => ({ id, headSha, targetBranch });

/** @returns false when its head has moved on, or it is not open any more. */
export const setChecked = (db: Db, mergeRequest: Ends, checked: CheckedBranches): Promise<boolean> =>
  change(db, "record_branches", endsOf(mergeRequest), checked);

/** Records another version, in a transaction. @returns false when another one was recorded since the row was read. */
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

/** @returns false when it is not open any more. */
export const scheduleMerge = (
  db: Db,
  id: number,
  { at, sha, userId, ...terms }: ScheduledMerge,
): Promise<boolean> => {
  const data = { autoMergeAt: at, autoMergeSha: sha, mergeUserId: userId, mergeError: null, updatedAt: at };
  return change(db, "schedule_merge", { id }, { ...data, ...terms });
};

/** @returns false when no merge was scheduled. @param mergeError why the merge is cancelled. */
export const cancelScheduledMerge = (
  db: Db,
  id: number,
  now: Date,
  mergeError: string | null,
): Promise<boolean> =>
  change(
    db,
    "cancel_scheduled_merge",
    { id, autoMergeAt: { not: null } },
    { ...NOT_SCHEDULED, mergeUserId: null, mergeError, updatedAt: now },
  );

/** True for exactly one of any number of callers, until the lock is released. */
export const beginMerge = (
  db: Db,
  mergeRequest: Ends,
  { at, byId, squash, removesSource }: MergeLock,
): Promise<boolean> => {
  const data = { lockedAt: at, lockedById: byId, squash, removesSource, mergeError: null };
  return change(db, "begin_merge", endsOf(mergeRequest), data);
};

/**
 * Records the commits that are about to become the target branch, so that a merge whose server was stopped can be told
 * from one that was not performed. @returns false when the lock was released.
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

/** @returns false when the lock was released. */
export const abortMerge = (db: Db, id: number, since: Date): Promise<boolean> => {
  const data = { ...UNLOCKED, mergeError: null, mergeability: "unchecked" };
  const unplanned = { mergeCommitSha: null, squashCommitSha: null };
  return change(db, "abort_merge", { id, lockedAt: since }, { ...data, ...unplanned });
};

/** @returns false when the lock was released. */
export const finishMerge = (db: Db, id: number, since: Date, merged: Merged): Promise<boolean> =>
  change(db, "finish_merge", { id, lockedAt: since }, mergedFields(merged));

/** @returns false when it has changed since it was read. */
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

/** Where the branches of an open merge request were last seen. */
export type OpenMergeRequest = Readonly<
  Pick<Row, "id" | "sourceBranch" | "targetBranch" | "headSha" | "checkedSha"> & { isWaiting: boolean }
>;

/** The open merge requests of a project, the newest first. `isWaiting`: their merge is scheduled. */
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

/** The next reader asks Git again. In a transaction: two that write many rows would each wait for the other. */
export async function uncheck(db: Db, projectId: number, ids: readonly number[]): Promise<void> {
  await lockRow(db, "Project", projectId);
  const where = { id: { in: [...ids] }, state: "opened" };
  await db.mergeRequest.updateMany({ where, data: { mergeability: "unchecked" } });
}

/** The same for all that go to a branch. */
export async function uncheckInto(db: Db, projectId: number, targetBranch: string): Promise<void> {
  await lockRow(db, "Project", projectId);
  const where = { projectId, state: "opened", targetBranch };
  await db.mergeRequest.updateMany({ where, data: { mergeability: "unchecked" } });
}
