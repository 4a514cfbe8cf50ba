import { LEAST_TO_FETCH } from "@/access/code";
import type { User } from "@/access/principal";
import { type Role, reaches } from "@/access/roles";
import type { MergeMethod } from "@/workspace/projects/rules";

export const MERGE_REQUEST_STATES = ["opened", "closed", "merged", "locked"] as const;
export type MergeRequestState = (typeof MERGE_REQUEST_STATES)[number];

/** Those fields of a user that pages and API responses show. */
export type UserSummary = Pick<User, "id" | "username" | "name" | "state" | "avatarDigest">;

/** The roles that a user can have in a merge request. */
export type UserKind = "assignee" | "reviewer";

/**
 * The result of the last test merge. `empty`: the target branch contains all commits of the source branch.
 * `missing`: a branch does not exist. `unchecked`: a branch has changed after the test merge, or Git exceeded
 * a limit.
 */
export const MERGEABILITIES = ["unchecked", "clean", "conflict", "empty", "missing"] as const;
export type Mergeability = (typeof MERGEABILITIES)[number];

/** A version of a merge request. A new version is recorded when the head or the target branch changes. */
export type Version = Readonly<{
  headSha: string;
  /** The id of the merge base; null for branches without a common ancestor. */
  baseSha: string | null;
  /** The head of the target branch at the time when the version was recorded. */
  startSha: string;
  changesCount: number;
}>;

/** The result of a comparison of the source branch with the target branch. */
export type CheckedBranches = Readonly<{
  mergeability: Mergeability;
  /** Whether the target branch has commits that the source branch does not have. */
  behind: boolean;
  /** The head of the target branch at the time of the last comparison. */
  checkedSha: string | null;
}>;

export type MergeRequest = Version &
  CheckedBranches &
  Readonly<{
    id: number;
    iid: number;
    project: Readonly<{ id: number; fullPath: string; groupId: number | null; mergeMethod: MergeMethod }>;
    sourceBranch: string;
    targetBranch: string;
    title: string;
    description: string;
    draft: boolean;
    state: MergeRequestState;
    author: UserSummary | null;
    assignees: readonly UserSummary[];
    reviewers: readonly UserSummary[];
    labels: readonly string[];
    squash: boolean;
    removesSource: boolean;
    createdAt: Date;
    updatedAt: Date;
    mergeError: string | null;
    lock: Readonly<{ at: Date; byId: number | null }> | null;
    autoMerge: Readonly<{ at: Date; sha: string | null }> | null;
    mergeMessage: string | null;
    squashMessage: string | null;
    mergeUser: UserSummary | null;
    mergedAt: Date | null;
    mergeCommitSha: string | null;
    squashCommitSha: string | null;
    closedBy: UserSummary | null;
    closedAt: Date | null;
  }>;

/** A reason why a merge check blocks a merge request. */
export type MergeBlock = "unchecked" | "security_policy_violations" | "not_approved";

/** The properties of a merge request that determine the merge status. */
export type MergeFacts = Readonly<{
  state: MergeRequestState;
  mergeability: Mergeability;
  behind: boolean;
  mergeMethod: MergeMethod;
  draft: boolean;
  blocks: readonly MergeBlock[];
}>;

export const DETAILED_MERGE_STATUSES = [
  "checking",
  "not_open",
  "unchecked",
  "commits_status",
  "conflict",
  "draft_status",
  "security_policy_violations",
  "not_approved",
  "need_rebase",
  "mergeable",
] as const;
export type DetailedMergeStatus = (typeof DETAILED_MERGE_STATUSES)[number];

/** The reasons that block a merge, in the order in which they are reported. */
const BLOCKS = [
  "unchecked",
  "security_policy_violations",
  "not_approved",
] as const satisfies readonly MergeBlock[];

/**
 * Returns the merge status of a merge request. If several reasons block the merge, the merge status shows the
 * reason that takes the most work to resolve.
 */
export function detailedMergeStatus(facts: MergeFacts): DetailedMergeStatus {
  if (facts.state === "locked") return "checking";
  if (facts.state !== "opened") return "not_open";
  if (facts.mergeability === "unchecked") return "unchecked";
  if (facts.mergeability === "empty" || facts.mergeability === "missing") return "commits_status";
  if (facts.mergeability === "conflict") return "conflict";
  if (facts.draft) return "draft_status";
  const block = BLOCKS.find((candidate) => facts.blocks.includes(candidate));
  if (block !== undefined) return block;
  return facts.mergeMethod !== "merge" && facts.behind ? "need_rebase" : "mergeable";
}

export const statusOf = (mergeRequest: MergeRequest, blocks: readonly MergeBlock[]): DetailedMergeStatus =>
  detailedMergeStatus({ ...mergeRequest, mergeMethod: mergeRequest.project.mergeMethod, blocks });

/** The users who authored, committed or pushed commits of a merge request. */
export type Committers = Readonly<{
  userIds: ReadonlySet<number>;
  /** The e-mail addresses of the commits' authors and committers, in lower case. */
  emails: ReadonlySet<string>;
}>;

/**
 * Returns whether the reason that blocks a merge can still be resolved. Otherwise, auto-merge cannot be
 * enabled.
 */
export const isWorthWaiting = (status: DetailedMergeStatus): boolean =>
  [
    "unchecked",
    "conflict",
    "draft_status",
    "security_policy_violations",
    "not_approved",
    "need_rebase",
  ].includes(status);

const DRAFT = /^(?:\s*(?:\[draft\]|\(draft\)|draft:))+\s*/i;

/** Returns whether a title starts with a draft prefix of GitLab. */
export const isDraft = (title: string): boolean => DRAFT.test(title);

/** Returns a title without its draft prefixes. */
export const readyTitle = (title: string): string => title.replace(DRAFT, "") || "Untitled";

/** The minimum role for creating, editing and merging merge requests. */
export const LEAST_TO_MERGE: Role = "developer";

/**
 * Returns whether a user may edit a merge request. Developers may edit every merge request, and authors may
 * edit their own merge requests while they may read the source code.
 */
export const mayChange = (
  { author }: Pick<MergeRequest, "author">,
  role: Role | null,
  user: Readonly<{ id: number }> | null,
): boolean =>
  reaches(role, LEAST_TO_MERGE) ||
  (reaches(role, LEAST_TO_FETCH) && author !== null && author.id === user?.id);

/**
 * Returns a key for an open merge request, which must be unique. The key contains both branch names,
 * separated by a space, because branch names contain no spaces.
 */
export const openKeyOf = ({
  projectId,
  sourceBranch,
  targetBranch,
}: Readonly<{ projectId: number; sourceBranch: string; targetBranch: string }>) =>
  `${projectId} ${sourceBranch} ${targetBranch}`;

/** Counts the task list items (`- [ ]`) of a description. */
export function tasksIn(description: string): Readonly<{ count: number; completed: number }> {
  const boxes = [...description.matchAll(/^\s{0,12}(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s/gm)];
  return { count: boxes.length, completed: boxes.filter(([, box]) => box !== " ").length };
}

/** The maximum number of changed files of a merge request that are counted. */
export const CHANGES_COUNTED_MAX = 1_000;
