import { allOf, anyOf, NAMED_MAX, named } from "@/kernel/db/conditions";
import type { Db } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import { groupsBelow, projectsInGroups } from "@/workspace/hierarchy/descendants";
import type { InVisibleProject } from "@/workspace/projects/service";
import type { MergeRequestState, PersonKind } from "./rules";

type Condition = Prisma.MergeRequestWhereInput;

/** What a list can be ordered by, and the column of each. */
export const MERGE_REQUEST_ORDERS = {
  created_at: "createdAt",
  updated_at: "updatedAt",
  merged_at: "mergedAt",
  title: "titleLower",
} as const;

export type MergeRequestOrder = keyof typeof MERGE_REQUEST_ORDERS;

/** Merge requests that have any of these are left out. */
export type MergeRequestExclusions = Readonly<{
  authorId?: number | undefined;
  authorUsername?: string | undefined;
  assigneeId?: number | undefined;
  assigneeUsernames?: readonly string[] | undefined;
  reviewerId?: number | undefined;
  reviewerUsername?: string | undefined;
  labels?: readonly string[] | undefined;
}>;

/** Which merge requests; what is undefined does not matter. */
export type MergeRequestFilter = Readonly<{
  /** Of this project, of those in this group and below it, or of all that these conditions let through. */
  projectId?: number | undefined;
  groupId?: number | undefined;
  /** See `codeIsReadBy`. */
  readable: InVisibleProject;
  state?: MergeRequestState | undefined;
  iids?: readonly number[] | undefined;
  authorId?: number | undefined;
  authorUsername?: string | undefined;
  assigneeId?: number | "none" | "any" | undefined;
  assigneeUsername?: string | undefined;
  reviewerId?: number | "none" | "any" | undefined;
  reviewerUsername?: string | undefined;
  /** Who has merged it. */
  mergeUserId?: number | undefined;
  mergeUserUsername?: string | undefined;
  sourceBranch?: string | undefined;
  targetBranch?: string | undefined;
  search?: string | undefined;
  /** What the search looks at alone, if not at both. */
  searchIn?: "title" | "description" | undefined;
  labels?: readonly string[] | "none" | "any" | undefined;
  /** Approved by each of these users. */
  approvedByIds?: readonly number[] | "none" | "any" | undefined;
  approvedByUsernames?: readonly string[] | "none" | "any" | undefined;
  not?: MergeRequestExclusions | undefined;
  draft?: boolean | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  updatedAfter?: Date | undefined;
  updatedBefore?: Date | undefined;
  order: MergeRequestOrder;
  descending: boolean;
}>;

/** What it finds may be little: few have a text, and perhaps all have somebody. */
export const isSearch = ({ search = "", not, ...filter }: MergeRequestFilter): boolean =>
  search !== "" ||
  not !== undefined ||
  [filter.assigneeId, filter.reviewerId, filter.labels].includes("none") ||
  [filter.approvedByIds, filter.approvedByUsernames].some((users) => users === "none" || users === "any");

const at = (after: Date | undefined, before: Date | undefined) => ({
  ...(after === undefined ? {} : { gte: after }),
  ...(before === undefined ? {} : { lte: before }),
});

/** Any of what the filter lets through meets all of these. */
export async function conditionsOf(db: Db, filter: MergeRequestFilter): Promise<readonly Condition[]> {
  const { projectId, groupId, iids, labels } = filter;
  const plain = {
    ...(projectId === undefined ? {} : { projectId }),
    ...(filter.state === undefined ? {} : { state: filter.state }),
    ...(iids === undefined ? {} : { iid: { in: [...iids] } }),
    ...(filter.authorId === undefined ? {} : { authorId: filter.authorId }),
    ...(filter.sourceBranch === undefined ? {} : { sourceBranch: filter.sourceBranch }),
    ...(filter.targetBranch === undefined ? {} : { targetBranch: filter.targetBranch }),
    ...(filter.draft === undefined ? {} : { draft: filter.draft }),
    createdAt: at(filter.createdAfter, filter.createdBefore),
    updatedAt: at(filter.updatedAfter, filter.updatedBefore),
  };
  return [
    plain,
    filter.readable,
    ...(groupId === undefined ? [] : [anyOf(projectsInGroups(await groupsBelow(db, [groupId])))]),
    ...(filter.authorUsername === undefined ? [] : [{ authorId: await idOfUser(db, filter.authorUsername) }]),
    ...allOf([
      ...(await withPerson(db, "assignee", filter.assigneeId)),
      ...(await withPerson(db, "assignee", await idOf(db, filter.assigneeUsername))),
      ...(await withPerson(db, "reviewer", filter.reviewerId)),
      ...(await withPerson(db, "reviewer", await idOf(db, filter.reviewerUsername))),
      ...(await mergedBy(db, filter.mergeUserId)),
      ...(await mergedBy(db, await idOf(db, filter.mergeUserUsername))),
      ...(await withLabels(db, labels)),
      ...(await approvedBy(db, filter.approvedByIds)),
      ...(await approvedBy(db, await approversByUsername(db, filter.approvedByUsernames))),
    ]),
    ...(filter.not === undefined ? [] : await withoutAny(db, filter.not)),
    ...matching(filter),
  ];
}

/** Returns the id of the user with this name; undefined where no name was given. */
const idOf = async (db: Db, username: string | undefined): Promise<number | undefined> =>
  username === undefined ? undefined : idOfUser(db, username);

/** Returns an id that no user has where no user has that name. */
async function idOfUser(db: Db, username: string): Promise<number> {
  const where = { usernameLower: username.toLowerCase() };
  return (await db.user.findUnique({ where, select: { id: true } }))?.id ?? 0;
}

/** The ids of users in the order of their usernames; 0 where nobody has that name. */
async function idsByUsername(db: Db, usernames: readonly string[]): Promise<readonly number[]> {
  const lower = usernames.map((username) => username.toLowerCase());
  const where = { usernameLower: { in: lower } };
  const rows = await db.user.findMany({ where, select: { id: true, usernameLower: true } });
  const byName = new Map(rows.map(({ id, usernameLower }) => [usernameLower, id]));
  return lower.map((username) => byName.get(username) ?? 0);
}

const approversByUsername = async (
  db: Db,
  usernames: MergeRequestFilter["approvedByUsernames"],
): Promise<MergeRequestFilter["approvedByIds"]> =>
  usernames === undefined || typeof usernames === "string" ? usernames : idsByUsername(db, usernames);

/** A push that takes approvals away removes their rows. */
async function approvedBy(
  db: Db,
  users: MergeRequestFilter["approvedByIds"],
): Promise<readonly (readonly number[] | Condition)[]> {
  if (users === undefined) return [];
  if (users === "none") return [{ approvals: { none: {} } }];
  if (users === "any") return [{ approvals: { some: {} } }];
  const select = { mergeRequestId: true };
  const orderBy = { userId: "asc" } as const;
  return Promise.all(
    users.map(async (userId) => {
      const where = { userId };
      const found = await db.mergeRequestApproval.findMany({ where, select, orderBy, take: NAMED_MAX + 1 });
      return named(idsOf(found)) ?? { approvals: { some: where } };
    }),
  );
}

/** A merge request whose author is gone is by nobody of those that are left out. */
async function withoutAny(db: Db, not: MergeRequestExclusions): Promise<readonly Condition[]> {
  const authors = [not.authorId, await idOf(db, not.authorUsername)].filter((id) => id !== undefined);
  const assignees = [
    not.assigneeId,
    ...(not.assigneeUsernames === undefined ? [] : await idsByUsername(db, not.assigneeUsernames)),
  ];
  const reviewers = [not.reviewerId, await idOf(db, not.reviewerUsername)];
  const people = [
    ...assignees.map((userId) => ({ kind: "assignee", userId })),
    ...reviewers.map((userId) => ({ kind: "reviewer", userId })),
  ].flatMap(({ kind, userId }) => (userId === undefined ? [] : [{ kind, userId }]));
  const labels = [...(not.labels ?? [])];
  return [
    ...(authors.length === 0 ? [] : [{ OR: [{ authorId: null }, { authorId: { notIn: authors } }] }]),
    ...(people.length === 0 ? [] : [{ people: { none: { OR: people } } }]),
    ...(labels.length === 0 ? [] : [{ labels: { none: { name: { in: labels } } } }]),
  ];
}

async function mergedBy(
  db: Db,
  userId: number | undefined,
): Promise<readonly (readonly number[] | Condition)[]> {
  if (userId === undefined) return [];
  const where = { mergeUserId: userId, state: "merged" };
  const orderBy = { id: "asc" } as const;
  const found = await db.mergeRequest.findMany({ where, select: { id: true }, orderBy, take: NAMED_MAX + 1 });
  return [named(found.map(({ id }) => id)) ?? where];
}

async function withPerson(
  db: Db,
  kind: PersonKind,
  who: MergeRequestFilter["assigneeId"],
): Promise<readonly (readonly number[] | Condition)[]> {
  if (who === undefined) return [];
  if (who === "none") return [{ people: { none: { kind } } }];
  if (who === "any") return [{ people: { some: { kind } } }];
  const where = { kind, userId: who };
  const select = { mergeRequestId: true };
  const orderBy = { userId: "asc" } as const;
  const found = await db.mergeRequestPerson.findMany({ where, select, orderBy, take: NAMED_MAX + 1 });
  return [named(idsOf(found)) ?? { people: { some: where } }];
}

async function withLabels(
  db: Db,
  labels: MergeRequestFilter["labels"],
): Promise<readonly (readonly number[] | Condition)[]> {
  if (labels === undefined) return [];
  if (labels === "none") return [{ labels: { none: {} } }];
  if (labels === "any") return [{ labels: { some: {} } }];
  const select = { mergeRequestId: true };
  const orderBy = { mergeRequestId: "asc" } as const;
  return Promise.all(
    labels.map(async (name) => {
      const where = { name };
      const found = await db.mergeRequestLabel.findMany({ where, select, orderBy, take: NAMED_MAX + 1 });
      return named(idsOf(found)) ?? { labels: { some: where } };
    }),
  );
}

const idsOf = (found: readonly Readonly<{ mergeRequestId: number }>[]): readonly number[] =>
  found.map(({ mergeRequestId }) => mergeRequestId);

function matching({ search = "", searchIn }: MergeRequestFilter): readonly Condition[] {
  const contains = literally(search.toLowerCase());
  if (contains === "") return [];
  if (searchIn === "title") return [{ titleLower: { contains } }];
  // The title is the first line.
  return [{ searchText: { contains: searchIn === "description" ? `\n%${contains}` : contains } }];
}
