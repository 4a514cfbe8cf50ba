import { z } from "zod";
import { defineEntity, moment } from "@/http-api/entity";
import type { ApiVersion } from "@/http-api/versions";
import { basicUserFields, basicUserOf } from "@/identity/api/entities/user";
import type { Deps } from "@/kernel/deps/deps";
import type { ShownRule } from "@/review/approvals/rule-editing";
import { type ApprovalConfiguration, RULE_TYPES, type RuleOutcome } from "@/review/approvals/rules";
import type { ApprovalState } from "@/review/approvals/service";
import { DETAILED_MERGE_STATUSES, MERGE_REQUEST_STATES } from "@/review/merge-requests/rules";
import type { MergeRequestWithStatus } from "@/review/merge-requests/service";
import { group } from "@/workspace/api/entities/group";

/** The approval settings of a project, including the number of approvals that the any-approver rule requires. */
export type ProjectApprovals = ApprovalConfiguration & Readonly<{ approvalsRequired: number }>;

/** The approval settings of a project. */
export const approvalConfiguration = defineEntity(
  "approval_configuration",
  {
    approvals_before_merge: z.int(),
    reset_approvals_on_push: z.boolean(),
    selective_code_owner_removals: z.boolean(),
    disable_overriding_approvers_per_merge_request: z.boolean(),
    merge_requests_author_approval: z.boolean(),
    merge_requests_disable_committers_approval: z.boolean(),
    require_password_to_approve: z.boolean(),
    require_reauthentication_to_approve: z.boolean(),
  },
  (settings: ProjectApprovals) => ({
    approvals_before_merge: settings.approvalsRequired,
    reset_approvals_on_push: settings.resetOnPush,
    selective_code_owner_removals: settings.selectiveOwnerRemovals,
    disable_overriding_approvers_per_merge_request: settings.overridingDisabled,
    merge_requests_author_approval: settings.authorApproval,
    merge_requests_disable_committers_approval: settings.committersApprovalRefused,
    require_password_to_approve: settings.passwordRequired,
    require_reauthentication_to_approve: settings.passwordRequired,
  }),
);

/** The approvals of a merge request, and whether the caller may approve it. */
export type MergeRequestApprovals = ApprovalState &
  Readonly<{ mergeRequest: MergeRequestWithStatus; canApprove: boolean }>;

export const mergeRequestApprovals = defineEntity(
  "merge_request_approvals",
  {
    id: z.int(),
    iid: z.int(),
    project_id: z.int(),
    title: z.string(),
    description: z.string().nullable(),
    state: z.enum(MERGE_REQUEST_STATES),
    created_at: moment,
    updated_at: moment,
    detailed_merge_status: z.enum(DETAILED_MERGE_STATUSES),
    approved: z.boolean(),
    approvals_required: z.int(),
    approvals_left: z.int(),
    require_password_to_approve: z.boolean(),
    approved_by: z.array(z.object({ user: z.object(basicUserFields), approved_at: moment })),
    suggested_approvers: z.array(z.object(basicUserFields)),
    user_has_approved: z.boolean(),
    user_can_approve: z.boolean(),
    has_approval_rules: z.boolean(),
    approval_rules_left: z.array(z.object({ id: z.int(), name: z.string(), rule_type: z.enum(RULE_TYPES) })),
  },
  (
    { mergeRequest, configuration, approvals, rules, required, left, canApprove }: MergeRequestApprovals,
    { config },
    viewer,
  ) => ({
    id: mergeRequest.id,
    iid: mergeRequest.iid,
    project_id: mergeRequest.project.id,
    title: mergeRequest.title,
    description: mergeRequest.description,
    state: mergeRequest.state,
    created_at: mergeRequest.createdAt.toISOString(),
    updated_at: mergeRequest.updatedAt.toISOString(),
    detailed_merge_status: mergeRequest.status,
    approved: left === 0,
    approvals_required: required,
    approvals_left: left,
    require_password_to_approve: configuration.passwordRequired,
    approved_by: approvals.map(({ user, approvedAt }) => ({
      user: basicUserOf(user, config.issuer),
      approved_at: approvedAt.toISOString(),
    })),
    suggested_approvers: [],
    user_has_approved: approvals.some(({ user }) => user.id === viewer?.id),
    user_can_approve: canApprove,
    has_approval_rules: rules.length > 0,
    approval_rules_left: rules.flatMap(({ rule, left: lacking }) =>
      lacking === 0 ? [] : [{ id: rule.id, name: rule.name, rule_type: rule.ruleType }],
    ),
  }),
);

const ruleFields = {
  id: z.int(),
  name: z.string(),
  rule_type: z.enum(RULE_TYPES),
  eligible_approvers: z.array(z.object(basicUserFields)),
  approvals_required: z.int(),
  users: z.array(z.object(basicUserFields)),
  groups: z.array(group.schema),
  contains_hidden_groups: z.boolean(),
};

const ruleOf = (
  { rule, eligible, users, groups, hasHiddenGroups }: ShownRule,
  deps: Deps,
  version: ApiVersion,
) => ({
  id: rule.id,
  name: rule.name,
  rule_type: rule.ruleType,
  eligible_approvers: eligible.map((user) => basicUserOf(user, deps.config.issuer)),
  approvals_required: rule.approvalsRequired,
  users: users.map((user) => basicUserOf(user, deps.config.issuer)),
  groups: groups.map((row) => group.present(row, deps, null, version)),
  contains_hidden_groups: hasHiddenGroups,
});

/** An approval rule in the format of the API. An approval rule always applies to all branches. */
export const approvalRule = defineEntity(
  "approval_rule",
  {
    ...ruleFields,
    protected_branches: z.array(z.unknown()).max(0),
    applies_to_all_protected_branches: z.literal(false),
  },
  (rule: ShownRule, deps, _viewer, version) => ({
    ...ruleOf(rule, deps, version),
    protected_branches: [],
    applies_to_all_protected_branches: false as const,
  }),
);

/** An approval rule, and the approvals of the merge request that count for the rule. */
export type RuleState = ShownRule & Readonly<{ outcome: RuleOutcome }>;

export const approvalStateOf = defineEntity(
  "approval_state",
  {
    approval_rules_overwritten: z.boolean(),
    rules: z.array(
      z.object({
        ...ruleFields,
        source_rule: z.null(),
        overridden: z.boolean(),
        approved_by: z.array(z.object(basicUserFields)),
        approved: z.boolean(),
      }),
    ),
  },
  (rules: readonly RuleState[], deps, _viewer, version) => ({
    approval_rules_overwritten: false,
    rules: rules.map((rule) => ({
      ...ruleOf(rule, deps, version),
      source_rule: null,
      overridden: false,
      approved_by: rule.outcome.approvals.map(({ user }) => basicUserOf(user, deps.config.issuer)),
      approved: rule.outcome.left === 0,
    })),
  }),
);
