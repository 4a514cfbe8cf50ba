import { allOf, anyOf, NAMED_MAX, named } from "@/kernel/db/conditions";
import type { Db, Queries } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import { pageOfList } from "@/kernel/paging/list-statements";
import {
  COUNTED_MAX,
  keysetFilterOf,
  orderOf,
  type Page,
  type Paging,
  pageById,
} from "@/kernel/paging/paging";
import { type Descendants, descendantsOf, projectsInGroups } from "@/workspace/hierarchy/descendants";
import type { MergeRequest, UserKind } from "../merge-requests/rules";
import {
  type Condition,
  columnConditions,
  isSearch,
  MERGE_REQUEST_ORDERS,
  type MergeRequestExclusions,
  type MergeRequestFilter,
  textConditions,
} from "./filter";
import { preparedListOf } from "./store.sql";

/** Returns a page of merge requests. @param read a function that returns the merge requests with the given ids. */
export async function list(
  { db, reads }: Queries,
  filter: MergeRequestFilter,
  paging: Paging,
  read: (ids: number[]) => Promise<readonly MergeRequest[]>,
): Promise<Page<MergeRequest>> {
  const { groupId } = filter;
  const descendants = groupId === undefined ? null : await descendantsOf(reads, [groupId]);
  const list = paging.kind === "offset" ? preparedListOf(filter, descendants) : null;
  if (list !== null && paging.kind === "offset")
    return pageOfList(reads, list.statements, list.parameters, paging, read);
  const where = { AND: [...(await conditionsOf(db, filter, descendants)), keysetFilterOf(paging)] };
  const orderBy = orderOf(paging, MERGE_REQUEST_ORDERS[filter.order], filter.descending);
  const select = { id: true } as const;
  // Only a list without a state filter contains both merged and unmerged merge requests.
  const isMixed = filter.order === "merged_at" && filter.state === undefined;
  return pageById(paging, {
    isSearch: isSearch(filter),
    find: (window) =>
      isMixed
        ? mergedFirst(db, where, orderBy, window)
        : db.mergeRequest.findMany({ where, orderBy, select, ...window }),
    read,
    count: () => db.mergeRequest.count({ where, take: COUNTED_MAX + 1 }),
  });
}

/**
 * Lists merged merge requests before unmerged merge requests in both sort directions. The function runs two
 * queries, because neither PostgreSQL nor SQLite has an index in this order.
 */
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

/** Returns the query conditions of a filter. */
async function conditionsOf(
  db: Db,
  filter: MergeRequestFilter,
  descendants: Descendants | null,
): Promise<readonly Condition[]> {
  const { labels } = filter;
  return [
    columnConditions(filter),
    filter.readable.condition,
    ...(descendants === null ? [] : [anyOf(projectsInGroups(descendants))]),
    ...(filter.authorUsername === undefined ? [] : [{ authorId: await idOfUser(db, filter.authorUsername) }]),
    ...allOf([
      ...(await withUser(db, "assignee", filter.assigneeId)),
      ...(await withUser(db, "assignee", await idOf(db, filter.assigneeUsername))),
      ...(await withUser(db, "reviewer", filter.reviewerId)),
      ...(await withUser(db, "reviewer", await idOf(db, filter.reviewerUsername))),
      ...(await mergedBy(db, filter.mergeUserId)),
      ...(await mergedBy(db, await idOf(db, filter.mergeUserUsername))),
      ...(await withLabels(db, labels)),
      ...(await approvedBy(db, filter.approvedByIds)),
      ...(await approvedBy(db, await approversByUsername(db, filter.approvedByUsernames))),
    ]),
    ...(filter.not === undefined ? [] : await withoutAny(db, filter.not)),
    ...textConditions(filter),
  ];
}

/** Returns the id of the user with this username; undefined if no username is given. */
const idOf = async (db: Db, username: string | undefined): Promise<number | undefined> =>
  username === undefined ? undefined : idOfUser(db, username);

/**
 * Returns the id of the user with this username. For an unknown username, the result is 0, which is never a user id.
 */
async function idOfUser(db: Db, username: string): Promise<number> {
  const where = { usernameLower: username.toLowerCase() };
  return (await db.user.findUnique({ where, select: { id: true } }))?.id ?? 0;
}

/**
 * Returns the ids of the users with these usernames, in the same order. The id for an unknown username is 0.
 */
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

/**
 * Returns the query conditions that select the merge requests that these users have approved. The query does
 * not compare the approvals with the current head, because the rows of invalid approvals are deleted.
 */
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
      const rows = await db.mergeRequestApproval.findMany({ where, select, orderBy, take: NAMED_MAX + 1 });
      return named(idsOf(rows)) ?? { approvals: { some: where } };
    }),
  );
}

/**
 * Returns the query conditions that exclude merge requests from a list. A merge request whose author was
 * deleted is never excluded because of its author.
 */
async function withoutAny(db: Db, not: MergeRequestExclusions): Promise<readonly Condition[]> {
  const authors = [not.authorId, await idOf(db, not.authorUsername)].filter((id) => id !== undefined);
  const assignees = [
    not.assigneeId,
    ...(not.assigneeUsernames === undefined ? [] : await idsByUsername(db, not.assigneeUsernames)),
  ];
  const reviewers = [not.reviewerId, await idOf(db, not.reviewerUsername)];
  const users = [
    ...assignees.map((userId) => ({ kind: "assignee", userId })),
    ...reviewers.map((userId) => ({ kind: "reviewer", userId })),
  ].flatMap(({ kind, userId }) => (userId === undefined ? [] : [{ kind, userId }]));
  const labels = [...(not.labels ?? [])];
  return [
    ...(authors.length === 0 ? [] : [{ OR: [{ authorId: null }, { authorId: { notIn: authors } }] }]),
    ...(users.length === 0 ? [] : [{ people: { none: { OR: users } } }]),
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
  const rows = await db.mergeRequest.findMany({ where, select: { id: true }, orderBy, take: NAMED_MAX + 1 });
  return [named(rows.map(({ id }) => id)) ?? where];
}

async function withUser(
  db: Db,
  kind: UserKind,
  userId: MergeRequestFilter["assigneeId"],
): Promise<readonly (readonly number[] | Condition)[]> {
  if (userId === undefined) return [];
  if (userId === "none") return [{ people: { none: { kind } } }];
  if (userId === "any") return [{ people: { some: { kind } } }];
  const where = { kind, userId };
  const select = { mergeRequestId: true };
  const orderBy = { userId: "asc" } as const;
  const rows = await db.mergeRequestPerson.findMany({ where, select, orderBy, take: NAMED_MAX + 1 });
  return [named(idsOf(rows)) ?? { people: { some: where } }];
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
      const rows = await db.mergeRequestLabel.findMany({ where, select, orderBy, take: NAMED_MAX + 1 });
      return named(idsOf(rows)) ?? { labels: { some: where } };
    }),
  );
}

const idsOf = (rows: readonly Readonly<{ mergeRequestId: number }>[]): readonly number[] =>
  rows.map(({ mergeRequestId }) => mergeRequestId);
