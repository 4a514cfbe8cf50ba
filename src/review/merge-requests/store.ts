import type { Db, Queries } from "@/kernel/db/db";
import type { MergeRequest as Row } from "@/kernel/db/generated/sqlite/client";
import { lockRow } from "@/kernel/db/lock";
import type { Reads } from "@/kernel/db/prepared";
import { type EditableFields, mergeRequestFrom, type NewMergeRequest, searchable } from "./row";
import { type MergeRequest, openKeyOf, type UserKind } from "./rules";
import * as sql from "./store.sql";
import { insertVersion } from "./version-store";

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

/** Locks a merge request until the transaction ends. */
export const lock = (db: Db, id: number): Promise<boolean> => lockRow(db, "MergeRequest", id);

/** Adds the assignees, reviewers and labels to rows of merge requests. The function runs two queries. */
async function withRelations(
  reads: Reads,
  rows: readonly sql.MergeRequestRow[],
): Promise<readonly MergeRequest[]> {
  const ids = rows.map(({ id }) => id);
  const [people, labels] = await Promise.all([sql.listUsers(reads, ids), sql.listLabels(reads, ids)]);
  const isOf = (id: number) => (related: Readonly<{ mergeRequestId: number }>) =>
    related.mergeRequestId === id;
  return rows.map((row) =>
    mergeRequestFrom(row, {
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

/**
 * Inserts a merge request. Call this function in a transaction. The function locks the project, so that no
 * number is used twice, and the visibility that is copied from the project does not change.
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

export type Changes = Readonly<Partial<EditableFields>> &
  Readonly<{
    updatedAt: Date;
    /**
     * A list of assignees, reviewers or labels replaces the stored list; an undefined list leaves the stored
     * list unchanged.
     */
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
 * Updates the title, the description and the search text. The search text consists of the title and the
 * description. If only the title or only the description changes, the other field is read after the update
 * has locked the row.
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

/** Returns the ids of those users who exist and are not blocked. */
export async function activeUserIds(db: Db, userIds: readonly number[]): Promise<readonly number[]> {
  const where = { id: { in: [...new Set(userIds)] }, state: "active" };
  return (await db.user.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/**
 * The stored heads of the source and target branch of an open merge request. `isWaiting` is true if
 * auto-merge is enabled.
 */
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

/** Deletes at most `most` merge requests of an author. @returns the number of deleted merge requests. */
export async function deleteSomeOf(db: Db, authorId: number, most: number): Promise<number> {
  const rows = await db.mergeRequest.findMany({ where: { authorId }, select: { id: true }, take: most });
  await db.mergeRequest.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  return rows.length;
}

/**
 * Stores the new group and top-level group of a transferred project in the merge requests of the project. The
 * caller must hold the lock on the project.
 */
export async function setGroups(
  db: Db,
  projectId: number,
  groups: Readonly<{ groupId: number | null; topGroupId: number | null }>,
): Promise<void> {
  await db.mergeRequest.updateMany({ where: { projectId }, data: groups });
}

/**
 * Replaces a user with another user in three columns of merge requests: the author, the user who merged, and
 * the user who closed the merge request. Changes at most `most` rows for each column.
 * @returns the largest of the three numbers of changed rows.
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
