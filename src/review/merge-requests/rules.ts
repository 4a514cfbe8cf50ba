import { LEAST_TO_FETCH } from "@/access/code";
import type { User } from "@/access/principal";
import { type Role, reaches } from "@/access/roles";
import type { MergeMethod } from "@/workspace/projects/rules";

export const MERGE_REQUEST_STATES = ["opened", "closed", "merged", "locked"] as const;
export type MergeRequestState = (typeof MERGE_REQUEST_STATES)[number];

/** What is needed of a person to show who they are. */
export type UserSummary = Pick<User, "id" | "username" | "name" | "state">;

/** The assignees of a merge request, and its reviewers. */
export type UserKind = "assignee" | "reviewer";

/**
 * The answer of Git about merging the head: `empty` where the target has all of it, `missing` where one of the branches is
 * gone, `unchecked` where a branch has moved since Git was asked, or Git took too long.
 */
export const MERGEABILITIES = ["unchecked", "clean", "conflict", "empty", "missing"] as const;
export type Mergeability = (typeof MERGEABILITIES)[number];

/** A source branch, as it was when it or the branch that it goes to was last seen to change. */
export type Version = Readonly<{
  headSha: string;
  /** Where the branches parted; null where they never were one. */
  baseSha: string | null;
  /** Where the target was. */
  startSha: string;
  changesCount: number;
}>;

/** The answer of Git about both branches. */
export type CheckedBranches = Readonly<{
  mergeability: Mergeability;
  /** Whether the target has commits that the source has not. */
  behind: boolean;
  /** The head of the target that Git was asked about. */
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

/** Why a condition that Git does not know keeps a merge request from being merged. */
export type MergeBlock = "unchecked" | "security_policy_violations" | "not_approved";

/** All that decides whether a merge request can be merged. */
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

/** The block that takes most work to resolve comes first. */
const BLOCKS = [
  "unchecked",
  "security_policy_violations",
  "not_approved",
] as const satisfies readonly MergeBlock[];

/** Why a merge request cannot be merged, or that it can: the reason that takes most work to resolve comes first. */
export function detailedMergeStatus(facts: MergeFacts): DetailedMergeStatus {
  if (facts.state === "locked") return "checking";
  if (facts.state !== "opened") return "not_open";
  if (facts.mergeability === "unchecked") return "unchecked";
  if (facts.mergeability === "empty" || facts.mergeability === "missing") return "commits_status";
  if (facts.mergeability === "conflict") return "conflict";
  if (facts.draft) return "draft_status";
  const block = BLOCKS.find((one) => facts.blocks.includes(one));
  if (block !== undefined) return block;
  return facts.mergeMethod !== "merge" && facts.behind ? "need_rebase" : "mergeable";
}

export const statusOf = (one: MergeRequest, blocks: readonly MergeBlock[]): DetailedMergeStatus =>
  detailedMergeStatus({ ...one, mergeMethod: one.project.mergeMethod, blocks });

/** Users who made or pushed commits of a merge request. */
export type Committers = Readonly<{
  userIds: ReadonlySet<number>;
  /** E-mail addresses of authors and committers, in lower case. */
  emails: ReadonlySet<string>;
}>;

/** Whether the reason can still be resolved, so that a merge can be scheduled. */
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

/** A title says that the work goes on, in any of the ways that people write it. */
export const isDraft = (title: string): boolean => DRAFT.test(title);

/** A title without the marks of a draft. */
export const readyTitle = (title: string): string => title.replace(DRAFT, "") || "Untitled";

/** The least role that opens, changes and merges merge requests. */
export const LEAST_TO_MERGE: Role = "developer";

/** Developers may change a merge request, and its author may while they are a member who may read the code. */
export const mayChange = (
  { author }: Pick<MergeRequest, "author">,
  role: Role | null,
  user: Readonly<{ id: number }> | null,
): boolean =>
  reaches(role, LEAST_TO_MERGE) ||
  (reaches(role, LEAST_TO_FETCH) && author !== null && author.id === user?.id);

/** Only one of two alike can be open; a space is in no branch's name. */
export const openKeyOf = (one: Readonly<{ projectId: number; sourceBranch: string; targetBranch: string }>) =>
  `${one.projectId} ${one.sourceBranch} ${one.targetBranch}`;

/** The tasks of a description, which are the items of its lists that begin with a box. */
export function tasksIn(description: string): Readonly<{ count: number; completed: number }> {
  const boxes = [...description.matchAll(/^\s{0,12}(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s/gm)];
  return { count: boxes.length, completed: boxes.filter(([, box]) => box !== " ").length };
}

/** The default message of a merge commit. */
export const mergeMessageOf = (one: MergeRequest): string =>
  `Merge branch '${one.sourceBranch}' into '${one.targetBranch}'\n\n${one.title}\n\nSee merge request ${one.project.fullPath}!${one.iid}\n`;

/** The default message of a squash commit. */
export const squashMessageOf = (one: MergeRequest): string => `${one.title}\n`;

/** Larger counts of changed files are not exact. */
export const CHANGES_COUNTED_MAX = 1_000;
