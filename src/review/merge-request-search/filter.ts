import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import type { ReadableCode } from "@/workspace/projects/service";
import type { MergeRequestState } from "../merge-requests/rules";

export type Condition = Prisma.MergeRequestWhereInput;

/** The database column for each sort order of a list of merge requests. */
export const MERGE_REQUEST_ORDERS = {
  created_at: "createdAt",
  updated_at: "updatedAt",
  merged_at: "mergedAt",
  title: "titleLower",
} as const;

export type MergeRequestOrder = keyof typeof MERGE_REQUEST_ORDERS;

/**
 * The properties with which a filter excludes merge requests from a list. A merge request is excluded if at
 * least one of these properties matches the merge request.
 */
export type MergeRequestExclusions = Readonly<{
  authorId?: number | undefined;
  authorUsername?: string | undefined;
  assigneeId?: number | undefined;
  assigneeUsernames?: readonly string[] | undefined;
  reviewerId?: number | undefined;
  reviewerUsername?: string | undefined;
  labels?: readonly string[] | undefined;
}>;

/** The filter of a list of merge requests. Undefined fields do not restrict the list. */
export type MergeRequestFilter = Readonly<{
  /** Includes only merge requests of this project. */
  projectId?: number | undefined;
  /** Includes only merge requests of the projects in this group and its descendants. */
  groupId?: number | undefined;
  /** Selects the projects whose source code the viewer may read: see `readableCodeFilter`. */
  readable: ReadableCode;
  state?: MergeRequestState | undefined;
  iids?: readonly number[] | undefined;
  authorId?: number | undefined;
  authorUsername?: string | undefined;
  assigneeId?: number | "none" | "any" | undefined;
  assigneeUsername?: string | undefined;
  reviewerId?: number | "none" | "any" | undefined;
  reviewerUsername?: string | undefined;
  /** The user who merged the merge request. */
  mergeUserId?: number | undefined;
  mergeUserUsername?: string | undefined;
  sourceBranch?: string | undefined;
  targetBranch?: string | undefined;
  search?: string | undefined;
  /** The field in which to search; undefined to search in the title and the description. */
  searchIn?: "title" | "description" | undefined;
  labels?: readonly string[] | "none" | "any" | undefined;
  /** Includes only merge requests that all of these users have approved. */
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

/**
 * Returns whether the filter may match only a few merge requests. For a filter with few matches, a scan in
 * the order of an index would read most rows of the table.
 */
export const isSearch = ({ search = "", not, ...filter }: MergeRequestFilter): boolean =>
  search !== "" ||
  not !== undefined ||
  [filter.assigneeId, filter.reviewerId, filter.labels].includes("none") ||
  [filter.approvedByIds, filter.approvedByUsernames].some((users) => users === "none" || users === "any");

const between = (after: Date | undefined, before: Date | undefined) => ({
  ...(after === undefined ? {} : { gte: after }),
  ...(before === undefined ? {} : { lte: before }),
});

/** Returns the query conditions for the columns of the merge request table. */
export const columnConditions = (filter: MergeRequestFilter): Condition => ({
  ...(filter.projectId === undefined ? {} : { projectId: filter.projectId }),
  ...(filter.state === undefined ? {} : { state: filter.state }),
  ...(filter.iids === undefined ? {} : { iid: { in: [...filter.iids] } }),
  ...(filter.authorId === undefined ? {} : { authorId: filter.authorId }),
  ...(filter.sourceBranch === undefined ? {} : { sourceBranch: filter.sourceBranch }),
  ...(filter.targetBranch === undefined ? {} : { targetBranch: filter.targetBranch }),
  ...(filter.draft === undefined ? {} : { draft: filter.draft }),
  createdAt: between(filter.createdAfter, filter.createdBefore),
  updatedAt: between(filter.updatedAfter, filter.updatedBefore),
});

/** Returns the query conditions of a text search. */
export function textConditions({ search = "", searchIn }: MergeRequestFilter): readonly Condition[] {
  const contains = literally(search.toLowerCase());
  if (contains === "") return [];
  if (searchIn === "title") return [{ titleLower: { contains } }];
  // The first line of the stored search text is the title of the merge request.
  return [{ searchText: { contains: searchIn === "description" ? `\n%${contains}` : contains } }];
}
