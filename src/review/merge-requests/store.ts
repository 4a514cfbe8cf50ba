import type { Db } from "@/kernel/db/db";
import type { Prisma, MergeRequest as Row } from "@/kernel/db/generated/sqlite/client";
import { lockRow } from "@/kernel/db/lock";
import {
  besideKey,
  COUNTED_MAX,
  directionOf,
  orderOf,
  type Page,
  type Paging,
  pageById,
  pageFrom,
  windowOf,
} from "@/kernel/paging/paging";
import { isMergeMethod } from "@/workspace/projects/rules";
import { conditionsOf, isSearch, MERGE_REQUEST_ORDERS, type MergeRequestFilter } from "./filter";
import { NO_AUTO_MERGE } from "./merge-progress";
import {
  isDraft,
  MERGE_REQUEST_STATES,
  MERGEABILITIES,
  type Mergeability,
  type MergeRequest,
  openKeyOf,
  type Person,
  type PersonKind,
  type Version,
} from "./rules";

const person = { select: { id: true, username: true, name: true, state: true } } as const;

const include = {
  project: { select: { id: true, fullPath: true, groupId: true, mergeMethod: true } },
  author: person,
  mergeUser: person,
  closedBy: person,
  people: { include: { user: person }, orderBy: { userId: "asc" } },
  labels: { orderBy: { name: "asc" } },
} as const;

type PersonRow = Readonly<{ id: number; username: string; name: string; state: string }>;

type FullRow = Row &
  Readonly<{
    project: Readonly<{ id: number; fullPath: string; groupId: number | null; mergeMethod: string }>;
    author: PersonRow | null;
    mergeUser: PersonRow | null;
    closedBy: PersonRow | null;
    people: readonly Readonly<{ kind: string; user: PersonRow }>[];
    labels: readonly Readonly<{ name: string }>[];
  }>;

const personFrom = (row: PersonRow): Person => ({
  ...row,
  state: row.state === "active" ? "active" : "blocked",
});

function mergeRequestFrom(row: FullRow): MergeRequest {
  const { projectId: _, openKey: _key, titleLower: _title, searchText: _text, ...own } = row;
  const { visibility: _visibility, groupId: _group, topGroupId: _top, ...rest } = own;
  const { authorId: _author, mergeUserId: _merger, closedById: _closer, people, ...kept } = rest;
  const { lockedAt, lockedById, autoMergeAt, autoMergeSha, ...told } = kept;
  const of = (kind: PersonKind) =>
    people.filter((one) => one.kind === kind).map(({ user }) => personFrom(user));
  const { mergeMethod } = row.project;
  return {
    ...told,
    project: { ...row.project, mergeMethod: isMergeMethod(mergeMethod) ? mergeMethod : "merge" },
    state: MERGE_REQUEST_STATES.find((state) => state === row.state) ?? "closed",
    mergeability: MERGEABILITIES.find((one) => one === row.mergeability) ?? "unchecked",
    author: row.author && personFrom(row.author),
    mergeUser: row.mergeUser && personFrom(row.mergeUser),
    closedBy: row.closedBy && personFrom(row.closedBy),
    assignees: of("assignee"),
    reviewers: of("reviewer"),
    labels: row.labels.map(({ name }) => name),
    lock: lockedAt && { at: lockedAt, byId: lockedById },
    autoMerge: autoMergeAt && { at: autoMergeAt, sha: autoMergeSha },
  };
}

export async function find(db: Db, projectId: number, iid: number): Promise<MergeRequest | null> {
  const row = await db.mergeRequest.findUnique({ where: { projectId_iid: { projectId, iid } }, include });
  return row && mergeRequestFrom(row);
}

export async function findById(db: Db, id: number): Promise<MergeRequest | null> {
  const row = await db.mergeRequest.findUnique({ where: { id }, include });
  return row && mergeRequestFrom(row);
}

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

/** What somebody says of a merge request. */
export type Told = Readonly<{
  title: string;
  description: string;
  squash: boolean;
  removesSource: boolean;
}>;

export type NewMergeRequest = Told &
  Version &
  Readonly<{
    projectId: number;
    sourceBranch: string;
    targetBranch: string;
    authorId: number;
    mergeability: Mergeability;
    behind: boolean;
    checkedSha: string;
    createdAt: Date;
  }>;

/** What is kept of a title and a description so that they are found. */
const searchable = ({ title, description }: Pick<Told, "title" | "description">) => ({
  title,
  titleLower: title.toLowerCase(),
  description,
  searchText: `${title}\n${description}`.toLowerCase(),
  draft: isDraft(title),
});

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
    where: { ...where, ...besideKey(paging) },
    orderBy: { id: directionOf(paging, true) },
    ...windowOf(paging),
  });
  return pageFrom(paging, rows, () => db.mergeRequestVersion.count({ where, take: COUNTED_MAX + 1 }));
}

export const findVersion = (db: Db, mergeRequestId: number, id: number): Promise<StoredVersion | null> =>
  db.mergeRequestVersion.findUnique({ where: { id, mergeRequestId } });

export type Changes = Readonly<Partial<Told>> &
  Readonly<{
    updatedAt: Date;
    /** These alone look after it, or are asked to read it, from now on. */
    assigneeIds?: readonly number[] | undefined;
    reviewerIds?: readonly number[] | undefined;
    labels?: readonly string[] | undefined;
  }>;

/** Changes what is told of a merge request, in a transaction: until it ends, no other one does. */
export async function update(db: Db, id: number, changes: Changes): Promise<void> {
  const { assigneeIds, reviewerIds, labels, title, description, ...rest } = changes;
  await db.mergeRequest.updateMany({ where: { id }, data: rest });
  if (title !== undefined || description !== undefined) await setTexts(db, id, { title, description });
  if (assigneeIds !== undefined) await setPeople(db, id, "assignee", assigneeIds);
  if (reviewerIds !== undefined) await setPeople(db, id, "reviewer", reviewerIds);
  if (labels !== undefined) await setLabels(db, id, labels);
}

type Texts = Readonly<{ title: string | undefined; description: string | undefined }>;

/** What is searched is made of both texts: the one that stays is read behind the row's change, and not before. */
async function setTexts(db: Db, id: number, { title, description }: Texts): Promise<void> {
  const select = { title: true, description: true } as const;
  const kept = await db.mergeRequest.findUnique({ where: { id }, select });
  if (kept === null) return;
  const data = searchable({ title: title ?? kept.title, description: description ?? kept.description });
  await db.mergeRequest.updateMany({ where: { id }, data });
}

async function setPeople(db: Db, mergeRequestId: number, kind: PersonKind, userIds: readonly number[]) {
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
export async function knownPeople(db: Db, userIds: readonly number[]): Promise<readonly number[]> {
  const where = { id: { in: [...new Set(userIds)] }, state: "active" };
  return (await db.user.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** @returns false when it is not open any more. */
export async function close(db: Db, id: number, closedById: number, now: Date): Promise<boolean> {
  const data = {
    state: "closed",
    openKey: null,
    closedById,
    closedAt: now,
    updatedAt: now,
    ...NO_AUTO_MERGE,
  };
  const where = { id, state: "opened" };
  return (await db.mergeRequest.updateMany({ where, data: { ...data, mergeUserId: null } })).count === 1;
}

/**
 * @returns false when it is not closed any more, or goes somewhere else by now.
 * @throws P2002 when another one of its branches is open.
 */
export async function reopen(
  db: Db,
  { id, project, sourceBranch, targetBranch }: MergeRequest,
  now: Date,
): Promise<boolean> {
  const openKey = openKeyOf({ projectId: project.id, sourceBranch, targetBranch });
  const data = { state: "opened", openKey, closedById: null, closedAt: null, mergeability: "unchecked" };
  const where = { id, state: "closed", targetBranch };
  return (await db.mergeRequest.updateMany({ where, data: { ...data, updatedAt: now } })).count === 1;
}

/**
 * Sends it to another branch, which nobody has looked at yet: whoever wanted it merged by itself meant the one before.
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
    data: { ...data, openKey, ...NO_AUTO_MERGE, mergeUserId: null },
  });
  if (open.count === 1) return true;
  return (await db.mergeRequest.updateMany({ where: { id, state: "closed" }, data })).count === 1;
}

/** What Git has said. */
export type Checked = Readonly<{ mergeability: Mergeability; behind: boolean; checkedSha: string | null }>;

/** @returns false when its head has moved on, or it is not open any more. */
export async function setChecked(db: Db, one: MergeRequest, checked: Checked): Promise<boolean> {
  const where = { id: one.id, state: "opened", headSha: one.headSha, targetBranch: one.targetBranch };
  return (await db.mergeRequest.updateMany({ where, data: checked })).count === 1;
}

/** Records another version, in a transaction. @returns false when another one has been recorded meanwhile. */
export async function setVersion(
  db: Db,
  one: MergeRequest,
  next: Version & Checked,
  now: Date,
): Promise<boolean> {
  const where = { id: one.id, state: "opened", headSha: one.headSha, checkedSha: one.checkedSha };
  const data = { ...next, mergeError: null, updatedAt: now };
  const { count } = await db.mergeRequest.updateMany({
    where: { ...where, targetBranch: one.targetBranch },
    data,
  });
  if (count === 1) await insertVersion(db, one.id, next, now);
  return count === 1;
}

/** Where the branches of an open merge request were last seen. */
export type Seen = Readonly<
  Pick<Row, "id" | "sourceBranch" | "targetBranch" | "headSha" | "checkedSha"> & { waits: boolean }
>;

/** The open ones of a project, the newest first. `waits`: to be merged by themselves. */
export async function openOnes(db: Db, projectId: number, most: number): Promise<readonly Seen[]> {
  const branches = { sourceBranch: true, targetBranch: true, headSha: true, checkedSha: true };
  const rows = await db.mergeRequest.findMany({
    where: { projectId, state: "opened" },
    select: { id: true, autoMergeAt: true, ...branches },
    orderBy: { id: "desc" },
    take: most,
  });
  return rows.map(({ autoMergeAt, ...row }) => ({ ...row, waits: autoMergeAt !== null }));
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

/** A part of the merge requests: as many queries for one as for a hundred. */
export async function list(db: Db, filter: MergeRequestFilter, paging: Paging): Promise<Page<MergeRequest>> {
  const where = { AND: [...(await conditionsOf(db, filter)), besideKey(paging)] };
  const orderBy = orderOf(paging, MERGE_REQUEST_ORDERS[filter.order], filter.descending);
  const select = { id: true } as const;
  // Those of one state have all been merged, or none has.
  const isMixed = filter.order === "merged_at" && filter.state === undefined;
  return pageById(paging, {
    isSearch: isSearch(filter),
    find: (window) =>
      isMixed
        ? mergedFirst(db, where, orderBy, window)
        : db.mergeRequest.findMany({ where, orderBy, select, ...window }),
    read: async (ids) =>
      (await db.mergeRequest.findMany({ where: { id: { in: ids } }, include })).map(mergeRequestFrom),
    count: () => db.mergeRequest.count({ where, take: COUNTED_MAX + 1 }),
  });
}

/** What is not merged comes last, whichever way the days of merging go: no index of either database has that order. */
async function mergedFirst(
  db: Db,
  where: Prisma.MergeRequestWhereInput,
  orderBy: ReturnType<typeof orderOf>,
  { skip, take }: Readonly<{ skip: number; take: number }>,
): Promise<readonly Readonly<{ id: number }>[]> {
  const select = { id: true } as const;
  const isMerged = { AND: [where, { mergedAt: { not: null } }] };
  const merged = await db.mergeRequest.findMany({ where: isMerged, orderBy, select, skip, take });
  if (merged.length === take) return merged;
  const before = merged.length > 0 ? skip + merged.length : await db.mergeRequest.count({ where: isMerged });
  const others = await db.mergeRequest.findMany({
    where: { AND: [where, { mergedAt: null }] },
    orderBy,
    select,
    skip: Math.max(0, skip - before),
    take: take - merged.length,
  });
  return [...merged, ...others];
}
