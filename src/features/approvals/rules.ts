import type { MergeRequest, Person } from "../merge-requests/rules";

/** How the merge requests of a project are approved. */
export type ApprovalConfiguration = Readonly<{
  approvalsRequired: number;
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
  approvalsRequired: 0,
  resetOnPush: true,
  selectiveOwnerRemovals: false,
  overridingDisabled: false,
  authorApproval: false,
  committersApprovalRefused: false,
  passwordRequired: false,
};

/** No project waits for more. */
export const APPROVALS_REQUIRED_MAX = 100;

export type Approval = Readonly<{
  user: Person;
  /** The head that was approved. */
  headSha: string;
  approvedAt: Date;
}>;

type Judged = Pick<MergeRequest, "headSha" | "author">;

/** Those that count: of what is there now, where a push takes them away, and not by the author unless that is allowed. */
export const counting = (
  approvals: readonly Approval[],
  { headSha, author }: Judged,
  { resetOnPush, authorApproval }: ApprovalConfiguration,
): readonly Approval[] =>
  approvals.filter(
    (one) => (!resetOnPush || one.headSha === headSha) && (authorApproval || one.user.id !== author?.id),
  );

export const approvalsLeft = (
  approvals: readonly Approval[],
  judged: Judged,
  configuration: ApprovalConfiguration,
): number => Math.max(0, configuration.approvalsRequired - counting(approvals, judged, configuration).length);
