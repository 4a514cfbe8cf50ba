import { type Role, reaches } from "@/access/roles";
import {
  type Committers,
  LEAST_TO_MERGE,
  type MergeRequest,
  type MergeRequestState,
  type UserSummary,
} from "../merge-requests/rules";

/** The approval settings of a project. */
export type ApprovalConfiguration = Readonly<{
  /** Whether a push to the source branch removes all approvals. */
  resetOnPush: boolean;
  selectiveOwnerRemovals: boolean;
  overridingDisabled: boolean;
  /** Whether the approval of the merge request's author counts. */
  authorApproval: boolean;
  /** Whether approvals of users who authored, committed or pushed commits of the merge request are refused. */
  committersApprovalRefused: boolean;
  /** Whether users must enter their password to approve. */
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

/**
 * The approval settings that the settings page shows. Approval settings of the GitLab API that the page does
 * not show have no effect.
 */
export const SWITCHES = [
  "resetOnPush",
  "authorApproval",
  "committersApprovalRefused",
  "passwordRequired",
] as const;
export type Switch = (typeof SWITCHES)[number];

/** The maximum number of approvals that a rule can require. */
export const APPROVALS_REQUIRED_MAX = 100;

/**
 * The types of approval rules. For a `regular` rule, only the approvals by users and group members of the
 * rule count. For the `any_approver` rule, approvals by any eligible user count.
 */
export const RULE_TYPES = ["regular", "any_approver"] as const;
export type RuleType = (typeof RULE_TYPES)[number];

/** An approval rule: the number of required approvals, and the users and groups whose approvals count. */
export type ApprovalRule = Readonly<{
  id: number;
  name: string;
  ruleType: RuleType;
  approvalsRequired: number;
  userIds: readonly number[];
  groupIds: readonly number[];
}>;

export const RULE_NAME_CHARACTERS_MAX = 255;

/** The name of the any-approver rule in the GitLab API. */
export const ANY_APPROVER_NAME = "All Members";

/**
 * The maximum number of approval rules in a project. The number of rules is limited because each list of
 * merge requests reads all rules of the listed projects.
 */
export const RULES_MAX = 100;

/**
 * Returns a key of an approval rule, which must be unique in the project. All any-approver rules have the
 * same key, so a project has at most one any-approver rule.
 */
export const ruleKey = ({ ruleType, name }: Pick<ApprovalRule, "ruleType" | "name">): string =>
  ruleType === "any_approver" ? ruleType : `${ruleType} ${name}`;

export type Approval = Readonly<{
  user: UserSummary;
  /** The id of the head commit that the user approved. */
  headSha: string;
  approvedAt: Date;
}>;

type ReviewedMergeRequest = Pick<MergeRequest, "headSha" | "author">;

/**
 * Returns those approvals of a merge request that count. If pushes remove approvals, only approvals of the
 * current head count. Approvals by the author count only if the settings allow such approvals.
 */
export const countedApprovals = <Given extends Approval>(
  approvals: readonly Given[],
  { headSha, author }: ReviewedMergeRequest,
  { resetOnPush, authorApproval }: ApprovalConfiguration,
): readonly Given[] =>
  approvals.filter(
    (approval) =>
      (!resetOnPush || approval.headSha === headSha) && (authorApproval || approval.user.id !== author?.id),
  );

/** The reason why a user may not approve a merge request. */
export type ApproverRefusal = "not_allowed" | "not_open" | "own" | "committer";

/** The properties that determine whether a user may approve a merge request. */
export type ApproverFacts = Readonly<{
  /** The role of the user in the project. */
  role: Role | null;
  state: MergeRequestState;
  isAuthor: boolean;
  /** Whether the user authored, committed or pushed commits of the merge request. */
  isCommitter: boolean;
}>;

/** Returns the first reason why a user may not approve a merge request; null if the user may approve it. */
export function approverRefusal(
  { role, state, isAuthor, isCommitter }: ApproverFacts,
  { authorApproval, committersApprovalRefused }: ApprovalConfiguration,
): ApproverRefusal | null {
  if (!reaches(role, LEAST_TO_MERGE)) return "not_allowed";
  if (state !== "opened") return "not_open";
  if (isAuthor && !authorApproval) return "own";
  return isCommitter && committersApprovalRefused ? "committer" : null;
}

/** Returns whether a user counts as a committer of a merge request. */
export const isCommitter = (
  { userIds, emails }: Committers,
  { id, email }: Readonly<{ id: number; email: string }>,
): boolean => userIds.has(id) || emails.has(email.toLowerCase());

type Approver = Readonly<{ id: number; groupIds: ReadonlySet<number> }>;

/** Returns whether the approval of a user counts for an approval rule. */
export const isEligible = (
  { ruleType, userIds, groupIds }: Pick<ApprovalRule, "ruleType" | "userIds" | "groupIds">,
  approver: Approver,
): boolean =>
  ruleType === "any_approver" ||
  userIds.includes(approver.id) ||
  groupIds.some((id) => approver.groupIds.has(id));

/** An approval rule, and the approvals that count for the rule. An approval can count for several rules. */
export type RuleOutcome<Given = Approval> = Readonly<{
  rule: ApprovalRule;
  approvals: readonly Given[];
  left: number;
}>;

export function outcomeOf<Given extends Approval & Readonly<{ groupIds: ReadonlySet<number> }>>(
  rule: ApprovalRule,
  approvals: readonly Given[],
): RuleOutcome<Given> {
  const counted = approvals.filter(({ user, groupIds }) => isEligible(rule, { id: user.id, groupIds }));
  return { rule, approvals: counted, left: Math.max(0, rule.approvalsRequired - counted.length) };
}
