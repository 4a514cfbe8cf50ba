import type { MergeRequest as Row } from "@/kernel/db/generated/sqlite/client";
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

const userFields = { select: { id: true, username: true, name: true, state: true } } as const;

/** The relations that are loaded with each row. */
export const include = {
  project: { select: { id: true, fullPath: true, groupId: true, mergeMethod: true } },
  author: userFields,
  mergeUser: userFields,
  closedBy: userFields,
  people: { include: { user: userFields }, orderBy: { userId: "asc" } },
  labels: { orderBy: { name: "asc" } },
} as const;

type UserRow = Readonly<{ id: number; username: string; name: string; state: string }>;

type FullRow = Row &
  Readonly<{
    project: Readonly<{ id: number; fullPath: string; groupId: number | null; mergeMethod: string }>;
    author: UserRow | null;
    mergeUser: UserRow | null;
    closedBy: UserRow | null;
    people: readonly Readonly<{ kind: string; user: UserRow }>[];
    labels: readonly Readonly<{ name: string }>[];
  }>;

const userFrom = (row: UserRow): UserSummary => ({
  ...row,
  state: row.state === "active" ? "active" : "blocked",
});

/** Converts a database row to a merge request. */
export function mergeRequestFrom(row: FullRow): MergeRequest {
  const { projectId: _, openKey: _key, titleLower: _title, searchText: _text, ...own } = row;
  const { visibility: _visibility, groupId: _group, topGroupId: _top, ...rest } = own;
  const { authorId: _author, mergeUserId: _merger, closedById: _closer, people, ...columns } = rest;
  const { lockedAt, lockedById, autoMergeAt, autoMergeSha, ...stored } = columns;
  const of = (kind: UserKind) => people.filter((row) => row.kind === kind).map(({ user }) => userFrom(user));
  const { mergeMethod } = row.project;
  return {
    ...stored,
    project: { ...row.project, mergeMethod: isMergeMethod(mergeMethod) ? mergeMethod : "merge" },
    state: MERGE_REQUEST_STATES.find((state) => state === row.state) ?? "closed",
    mergeability: MERGEABILITIES.find((name) => name === row.mergeability) ?? "unchecked",
    author: row.author && userFrom(row.author),
    mergeUser: row.mergeUser && userFrom(row.mergeUser),
    closedBy: row.closedBy && userFrom(row.closedBy),
    assignees: of("assignee"),
    reviewers: of("reviewer"),
    labels: row.labels.map(({ name }) => name),
    lock: lockedAt && { at: lockedAt, byId: lockedById },
    autoMerge: autoMergeAt && { at: autoMergeAt, sha: autoMergeSha },
  };
}

/** The fields of a merge request that a user can edit. */
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

/** Returns the database columns for a title and a description, including the columns for searching. */
export const searchable = ({ title, description }: Pick<EditableFields, "title" | "description">) => ({
  title,
  titleLower: title.toLowerCase(),
  description,
  searchText: `${title}\n${description}`.toLowerCase(),
  draft: isDraft(title),
});

export type NextVersion = Version & CheckedBranches;

/** The options of auto-merge: the merge is performed as soon as nothing blocks it. */
export type ScheduledMerge = Readonly<{
  at: Date;
  sha: string | null;
  userId: number;
  squash: boolean;
  removesSource: boolean;
  mergeMessage: string | null;
  squashMessage: string | null;
}>;

/** The column values of a merge request without auto-merge. */
export const NOT_SCHEDULED = {
  autoMergeAt: null,
  autoMergeSha: null,
  mergeMessage: null,
  squashMessage: null,
};

export type MergeLock = Readonly<{ at: Date; byId: number; squash: boolean; removesSource: boolean }>;

/** The column values of a merge request without a lock. */
export const UNLOCKED = { lockedAt: null, lockedById: null };

export type Merged = Readonly<{ mergeUserId: number | null; mergedAt: Date }>;

/** Returns the column values that every merge sets. */
export const mergedFields = ({ mergeUserId, mergedAt }: Merged) => ({
  ...{ openKey: null, ...UNLOCKED, ...NOT_SCHEDULED },
  ...{ mergeUserId, mergedAt, updatedAt: mergedAt, mergeError: null },
});
