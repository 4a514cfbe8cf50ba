import { allOf, anyOf, NAMED_MAX, named } from "@/platform/db/conditions";
import type { Db } from "@/platform/db/db";
import { literally } from "@/platform/db/like";
import { groupsBelow, projectsInGroups } from "../groups/below";
import type { MergeRequestState, PersonKind } from "./rules";

/** What a list can be ordered by, and the column of each. */
export const MERGE_REQUEST_ORDERS = {
  created_at: "createdAt",
  updated_at: "updatedAt",
  merged_at: "mergedAt",
  title: "titleLower",
} as const;

export type MergeRequestOrder = keyof typeof MERGE_REQUEST_ORDERS;

/** Which merge requests; what is undefined does not matter. */
export type MergeRequestFilter = Readonly<{
  /** Of this project, of those in this group and below it, or of all that these conditions let through. */
  projectId?: number | undefined;
  groupId?: number | undefined;
  /** See `codeIsReadBy`. */
  readable: object;
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
  draft?: boolean | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  updatedAfter?: Date | undefined;
  updatedBefore?: Date | undefined;
  order: MergeRequestOrder;
  descending: boolean;
}>;

/** What it finds may be little: few have a text, and perhaps all have somebody. */
export const isSearch = ({ search = "", assigneeId, reviewerId, labels }: MergeRequestFilter): boolean =>
  search !== "" || [assigneeId, reviewerId, labels].includes("none");

const at = (after: Date | undefined, before: Date | undefined) => ({
  ...(after === undefined ? {} : { gte: after }),
  ...(before === undefined ? {} : { lte: before }),
});

/** Any of what the filter lets through meets all of these. */
export async function conditionsOf(db: Db, filter: MergeRequestFilter): Promise<readonly object[]> {
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
    ...(filter.authorUsername === undefined ? [] : [{ authorId: await idOf(db, filter.authorUsername) }]),
    ...allOf([
      ...(await withPerson(db, "assignee", filter.assigneeId)),
      ...(await withPerson(db, "assignee", await idOf(db, filter.assigneeUsername))),
      ...(await withPerson(db, "reviewer", filter.reviewerId)),
      ...(await withPerson(db, "reviewer", await idOf(db, filter.reviewerUsername))),
      ...(await mergedBy(db, filter.mergeUserId)),
      ...(await mergedBy(db, await idOf(db, filter.mergeUserUsername))),
      ...(await withLabels(db, labels)),
    ]),
    ...matching(filter),
  ];
}

/** @returns nobody's id where nobody has that name. */
async function idOf(db: Db, username: string | undefined): Promise<number | undefined> {
  if (username === undefined) return undefined;
  const where = { usernameLower: username.toLowerCase() };
  return (await db.user.findUnique({ where, select: { id: true } }))?.id ?? 0;
}

async function mergedBy(db: Db, userId: number | undefined): Promise<readonly object[]> {
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
): Promise<readonly object[]> {
  if (who === undefined) return [];
  if (who === "none") return [{ people: { none: { kind } } }];
  if (who === "any") return [{ people: { some: { kind } } }];
  const where = { kind, userId: who };
  const select = { mergeRequestId: true };
  const orderBy = { userId: "asc" } as const;
  const found = await db.mergeRequestPerson.findMany({ where, select, orderBy, take: NAMED_MAX + 1 });
  return [named(idsOf(found)) ?? { people: { some: where } }];
}

async function withLabels(db: Db, labels: MergeRequestFilter["labels"]): Promise<readonly object[]> {
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

function matching({ search = "", searchIn }: MergeRequestFilter): readonly object[] {
  const contains = literally(search.toLowerCase());
  if (contains === "") return [];
  if (searchIn === "title") return [{ titleLower: { contains } }];
  // The title is the first line.
  return [{ searchText: { contains: searchIn === "description" ? `\n%${contains}` : contains } }];
}
