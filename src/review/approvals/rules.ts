import { type Role, reaches } from "@/access/roles";
import {
  type Committers,
  LEAST_TO_MERGE,
  type MergeRequest,
  type MergeRequestState,
  type UserSummary,
} from "../merge-requests/rules";

/** How the merge requests of a project are approved. */
export type ApprovalConfiguration = Readonly<{
  /** A push to the source branch takes the approvals away. */
  resetOnPush: boolean;
  selectiveOwnerRemovals: boolean;
  overridingDisabled: boolean;
  /** Whether the author's own approval counts. */
  authorApproval: boolean;
  /** Whether the approval of those who made its commits does not count. */
  committersApprovalRefused: boolean;
  /** Whether who approves gives their password. */
  passwordRequired: boolean;
}>;

export const BY_DEFAULT: ApprovalConfiguration = {
  resetOnPush: true,
  selectiveOwnerRemovals: false,
  overridingDisabled: false,
  authorApproval: false,
  committersApprovalRefused: false,
  passwordRequired: false,
};

/** No project waits for more. */
export const APPROVALS_REQUIRED_MAX = 100;

/** By certain people, or by whoever may approve. */
export const RULE_TYPES = ["regular", "any_approver"] as const;
export type RuleType = (typeof RULE_TYPES)[number];

/** How many approvals of whom the merge requests of a project need. */
export type ApprovalRule = Readonly<{
  id: number;
  name: string;
  ruleType: RuleType;
  approvalsRequired: number;
  userIds: readonly number[];
  groupIds: readonly number[];
}>;

/** No rule has a longer name. */
export const RULE_NAME_CHARACTERS_MAX = 255;

/** The name in the GitLab API of the rule that is the number of approvals of a project. */
export const ANY_APPROVER_NAME = "All Members";

/** No project needs more; each list of merge requests reads them all. */
export const RULES_MAX = 100;

/** The unique key of a rule in its project: there is one for any approver. */
export const ruleKey = ({ ruleType, name }: Pick<ApprovalRule, "ruleType" | "name">): string =>
  ruleType === "any_approver" ? ruleType : `${ruleType} ${name}`;

export type Approval = Readonly<{
  user: UserSummary;
  /** The head that was approved. */
  headSha: string;
  approvedAt: Date;
}>;

type ReviewedMergeRequest = Pick<MergeRequest, "headSha" | "author">;

/** Those that count: of what is there now, where a push takes them away, and not by the author unless that is allowed. */
export const countedApprovals = <Given extends Approval>(
  approvals: readonly Given[],
  { headSha, author }: ReviewedMergeRequest,
  { resetOnPush, authorApproval }: ApprovalConfiguration,
): readonly Given[] =>
  approvals.filter(
    (one) => (!resetOnPush || one.headSha === headSha) && (authorApproval || one.user.id !== author?.id),
  );

/** Why a user may not approve a merge request. */
export type ApproverRefusal = "not_allowed" | "not_open" | "own" | "committer";

/** The facts that decide whether a user may approve a merge request. */
export type ApproverFacts = Readonly<{
  /** The role of the user in the project. */
  role: Role | null;
  state: MergeRequestState;
  isAuthor: boolean;
  /** Whether the user made or pushed commits of the merge request. */
  isCommitter: boolean;
}>;

/** Returns why a user may not approve a merge request, the first reason of several; null: they may. */
export function approverRefusal(
  { role, state, isAuthor, isCommitter }: ApproverFacts,
  { authorApproval, committersApprovalRefused }: ApprovalConfiguration,
): ApproverRefusal | null {
  if (!reaches(role, LEAST_TO_MERGE)) return "not_allowed";
  if (state !== "opened") return "not_open";
  if (isAuthor && !authorApproval) return "own";
  return isCommitter && committersApprovalRefused ? "committer" : null;
}

/** Whether a user is among the committers. */
export const isCommitter = (
  { userIds, emails }: Committers,
  { id, email }: Readonly<{ id: number; email: string }>,
): boolean => userIds.has(id) || emails.has(email.toLowerCase());

type Approver = Readonly<{ id: number; groupIds: ReadonlySet<number> }>;

/** Whether a rule asks for the approval of a user who may approve. */
export const isEligible = (
  { ruleType, userIds, groupIds }: Pick<ApprovalRule, "ruleType" | "userIds" | "groupIds">,
  approver: Approver,
): boolean =>
  ruleType === "any_approver" ||
  userIds.includes(approver.id) ||
  groupIds.some((id) => approver.groupIds.has(id));

/** A rule with those approvals that are what it asks for. One approval counts for every rule that it fits. */
export type RuleOutcome<Given = Approval> = Readonly<{
  rule: ApprovalRule;
  approvals: readonly Given[];
  left: number;
}>;

export function outcomeOf<Given extends Approval & Readonly<{ groupIds: ReadonlySet<number> }>>(
  rule: ApprovalRule,
  approvals: readonly Given[],
): RuleOutcome<Given> {
  const fitting = approvals.filter(({ user, groupIds }) => isEligible(rule, { id: user.id, groupIds }));
  return { rule, approvals: fitting, left: Math.max(0, rule.approvalsRequired - fitting.length) };
}
