import { userStateOf } from "@/access/principal";
import { isMergeMethod } from "@/workspace/projects/rules";
import {
  type CheckedBranches,
  isDraft,
  MERGE_REQUEST_STATES,
  MERGEABILITIES,
  type Mergeability,
  type MergeRequest,
  type UserKind,
  type UserSummary,
  type Version,
} from "./rules";
import type { MergeRequestRow, RelatedUserRow } from "./store.sql";

type UserRow = RelatedUserRow["user"];

const userFrom = (row: UserRow): UserSummary => ({
  ...row,
  state: userStateOf(row.state),
});

/** Converts a database row, with its assignees, reviewers and labels, to a merge request. */
export function mergeRequestFrom(
  row: MergeRequestRow,
  related: Readonly<{ people: readonly RelatedUserRow[]; labels: readonly string[] }>,
): MergeRequest {
  const of = (kind: UserKind) =>
    related.people.filter((row) => row.kind === kind).map(({ user }) => userFrom(user));
  const { mergeMethod } = row.project;
  // `Object.assign` copies an object with many fields faster than an object literal with `...`.
  return Object.assign({}, row, {
    project: Object.assign({}, row.project, {
      mergeMethod: isMergeMethod(mergeMethod) ? mergeMethod : ("merge" as const),
    }),
    state: MERGE_REQUEST_STATES.find((state) => state === row.state) ?? "closed",
    mergeability: MERGEABILITIES.find((name) => name === row.mergeability) ?? "unchecked",
    author: row.author && userFrom(row.author),
    mergeUser: row.mergeUser && userFrom(row.mergeUser),
    closedBy: row.closedBy && userFrom(row.closedBy),
    assignees: of("assignee"),
    reviewers: of("reviewer"),
    labels: related.labels,
  });
}

/** Those fields of a merge request that a user can edit. */
export type EditableFields = Readonly<{
  title: string;
  description: string;
  squash: boolean;
  removesSource: boolean;
}>;

export type NewMergeRequest = EditableFields &
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

/**
 * Returns the values of the database columns for a title and a description, including the columns for
 * searching.
 */
export const searchable = ({ title, description }: Pick<EditableFields, "title" | "description">) => ({
  title,
  titleLower: title.toLowerCase(),
  description,
  searchText: `${title}\n${description}`.toLowerCase(),
  draft: isDraft(title),
});

export type NextVersion = Version & CheckedBranches;

/** The options of auto-merge: the server merges the merge request as soon as nothing blocks the merge. */
export type ScheduledMerge = Readonly<{
  at: Date;
  sha: string | null;
  userId: number;
  squash: boolean;
  removesSource: boolean;
  mergeMessage: string | null;
  squashMessage: string | null;
}>;

/** The column values of a merge request for which auto-merge is not enabled. */
export const NOT_SCHEDULED = {
  autoMergeAt: null,
  autoMergeSha: null,
  mergeMessage: null,
  squashMessage: null,
};

export type MergeLock = Readonly<{ at: Date; byId: number; squash: boolean; removesSource: boolean }>;

/** The column values of a merge request that is not locked for a merge. */
export const UNLOCKED = { lockedAt: null, lockedById: null };

export type Merged = Readonly<{ mergeUserId: number | null; mergedAt: Date }>;

/** Returns the column values that every merge of a merge request sets. */
export const mergedFields = ({ mergeUserId, mergedAt }: Merged) => ({
  ...{ openKey: null, ...UNLOCKED, ...NOT_SCHEDULED },
  ...{ mergeUserId, mergedAt, updatedAt: mergedAt, mergeError: null },
});
