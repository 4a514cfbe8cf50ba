import { z } from "zod";
import {
  busy,
  conflict,
  forbidden,
  forbiddenBecause,
  invalidParameters,
  notFound,
  unacceptable,
} from "@/http-api/errors";
import { flag, id, ids, text, whole, words } from "@/http-api/fields";
import { PasswordsBusy } from "@/kernel/crypto/password";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { type ApprovalRefusal, approve, findApproverRefusal, unapprove } from "@/review/approvals/approve";
import {
  approvalsRequiredIn,
  changeConfiguration,
  readConfiguration,
} from "@/review/approvals/configuration";
import * as approvalRules from "@/review/approvals/rule-editing";
import {
  APPROVALS_REQUIRED_MAX,
  type ApprovalConfiguration,
  RULE_NAME_CHARACTERS_MAX,
  RULE_TYPES,
  RULES_MAX,
} from "@/review/approvals/rules";
import { approvalState } from "@/review/approvals/service";
import { refreshMergeability } from "@/review/merge-requests/merge-worker";
import type { MergeRequest } from "@/review/merge-requests/rules";
import { withStatus } from "@/review/merge-requests/service";
import type { InProject, OpenProject } from "@/workspace/api/access-rules";
import type { MergeRequestApprovals, ProjectApprovals, RuleState } from "./entities/approval";
import { mergeRequestReference, requireMergeRequest } from "./merge-request";

/** Returns the approval settings of a project. */
export const readApprovalConfiguration = async (
  deps: Deps,
  { project }: InProject,
): Promise<ProjectApprovals> => shownWith(deps, project, await readConfiguration(deps, project));

const shownWith = async (
  deps: Deps,
  project: InProject["project"],
  configuration: ApprovalConfiguration,
): Promise<ProjectApprovals> => ({
  ...configuration,
  approvalsRequired: await approvalsRequiredIn(deps, project),
});

const approvalsRequired = whole.pipe(z.int().max(APPROVALS_REQUIRED_MAX));

export const approvalConfigurationChange = z.object({
  approvals_before_merge: approvalsRequired
    .optional()
    .describe("The number of approvals that the any-approver rule requires."),
  reset_approvals_on_push: flag.optional(),
  selective_code_owner_removals: flag.optional().describe("Has no effect: Gatehouse has no code owners."),
  disable_overriding_approvers_per_merge_request: flag
    .optional()
    .describe("Has no effect: merge requests always use the rules of their project."),
  merge_requests_author_approval: flag.optional(),
  merge_requests_disable_committers_approval: flag.optional(),
  require_password_to_approve: flag.optional(),
  require_reauthentication_to_approve: flag
    .optional()
    .describe("The newer name of the parameter require_password_to_approve."),
});

/** Changes the approval settings of a project. @throws ApiError 400 for a request without parameters. */
export async function changeApprovalConfiguration(
  deps: Deps,
  { project, user }: InProject,
  input: z.infer<typeof approvalConfigurationChange>,
): Promise<ProjectApprovals> {
  const changes = {
    approvalsRequired: input.approvals_before_merge,
    resetOnPush: input.reset_approvals_on_push,
    selectiveOwnerRemovals: input.selective_code_owner_removals,
    overridingDisabled: input.disable_overriding_approvers_per_merge_request,
    authorApproval: input.merge_requests_author_approval,
    committersApprovalRefused: input.merge_requests_disable_committers_approval,
    passwordRequired: input.require_password_to_approve ?? input.require_reauthentication_to_approve,
  };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  if (given.length === 0)
    throw invalidParameters([
      `${Object.keys(approvalConfigurationChange.shape).join(", ")} are missing, at least one parameter must be provided`,
    ]);
  return shownWith(deps, project, await changeConfiguration(deps, project, Object.fromEntries(given), user));
}

/** Returns the approvals of a merge request, and the number of missing approvals. */
export async function readApprovals(
  deps: Deps,
  context: OpenProject,
  reference: z.infer<typeof mergeRequestReference>,
): Promise<MergeRequestApprovals> {
  return approvalsOf(
    deps,
    context,
    await refreshMergeability(deps, await requireMergeRequest(deps, context, reference)),
  );
}

async function approvalsOf(
  deps: Deps,
  { project, caller }: OpenProject,
  mergeRequest: MergeRequest,
): Promise<MergeRequestApprovals> {
  const state = await approvalState(deps, mergeRequest);
  const user = caller?.user ?? null;
  const canApprove =
    user !== null &&
    !state.approvals.some((approval) => approval.user.id === user.id) &&
    (await findApproverRefusal(deps, { project, user }, mergeRequest, state.configuration)) === null;
  return { ...state, mergeRequest: await withStatus(deps, mergeRequest), canApprove };
}

export const approvalInput = mergeRequestReference.extend({
  sha: text(64)
    .optional()
    .describe(
      "The id of the head commit that you reviewed. The request fails with 409 if this commit is not the current head of the merge request.",
    ),
  approval_password: z
    .string()
    .max(1_024)
    .optional()
    .describe("Your password, if the project requires a password for approvals."),
});

/** Approves a merge request. @throws ApiError 403 or 404, 409 if the head has changed. */
export async function approveMergeRequest(
  deps: Deps,
  context: InProject,
  { iid, sha, approval_password }: z.infer<typeof approvalInput>,
): Promise<MergeRequestApprovals> {
  const mergeRequest = await requireMergeRequest(deps, context, { iid });
  const input = { sha: sha || undefined, password: approval_password };
  const outcome = await approve(deps, context, mergeRequest, input).catch((cause: unknown) => {
    throw cause instanceof PasswordsBusy ? busy() : cause;
  });
  if (typeof outcome === "string" || "head" in outcome) throw refusalError(outcome);
  return approvalsOf(deps, context, outcome);
}

function refusalError(refusal: ApprovalRefusal) {
  if (typeof refusal !== "string")
    return conflict(`SHA does not match HEAD of source branch: ${refusal.head}`);
  if (refusal === "not_allowed") return forbidden();
  if (refusal === "own") return forbiddenBecause("You may not approve your own merge request.");
  if (refusal === "committer") return forbiddenBecause("You may not approve your own commits.");
  if (refusal === "password") return forbiddenBecause("Your password is required to approve.");
  if (refusal === "too_many_passwords")
    return forbiddenBecause("Too many wrong passwords. Try again in a few minutes.");
  return forbiddenBecause("The merge request is not open.");
}

/**
 * Withdraws the caller's approval.
 * @throws ApiError 404 if the caller has not approved the merge request, 403 if the merge request is not
 * open.
 */
export async function unapproveMergeRequest(
  deps: Deps,
  context: InProject,
  reference: z.infer<typeof mergeRequestReference>,
): Promise<MergeRequestApprovals> {
  const outcome = await unapprove(deps, context, await requireMergeRequest(deps, context, reference));
  if (outcome === "not_approved") throw notFound("Approval");
  if (outcome === "not_open") throw refusalError(outcome);
  return approvalsOf(deps, context, outcome);
}

const approverFields = {
  user_ids: ids.optional().describe("Ids of project members. Users who are not members are ignored."),
  usernames: words
    .optional()
    .describe("Usernames of project members. Users who are not members are ignored."),
  group_ids: ids
    .optional()
    .describe("Ids of groups that you can see. Groups that you cannot see are ignored."),
};

const ruleName = text(RULE_NAME_CHARACTERS_MAX).min(1);

export const newApprovalRule = z.object({
  name: ruleName,
  approvals_required: approvalsRequired,
  rule_type: z
    .enum(RULE_TYPES)
    .default("regular")
    .describe("any_approver: any eligible user can approve. A project has at most one any_approver rule."),
  ...approverFields,
});

export const ruleReference = z.object({ rule_id: id });

export const approvalRuleChange = ruleReference.extend({
  name: ruleName.optional(),
  approvals_required: approvalsRequired.optional(),
  ...approverFields,
  remove_hidden_groups: flag.optional().describe("Whether to remove groups that you cannot see."),
});

const approversFrom = (
  input: Pick<z.infer<typeof newApprovalRule>, "user_ids" | "usernames" | "group_ids">,
) => ({
  userIds: input.user_ids,
  usernames: input.usernames,
  groupIds: input.group_ids,
});

export const listApprovalRules = (
  deps: Deps,
  { project, user }: InProject,
  _input: object,
  paging: Paging,
): Promise<Page<approvalRules.ShownRule>> => approvalRules.listRules(deps, project, user, paging);

/** Returns an approval rule. @throws ApiError 404 if the project has no such rule. */
export async function readApprovalRule(
  deps: Deps,
  { project, user }: InProject,
  { rule_id }: z.infer<typeof ruleReference>,
): Promise<approvalRules.ShownRule> {
  const rule = await approvalRules.findRule(deps, project, user, rule_id);
  if (rule === null) throw notFound("Approval Rule");
  return rule;
}

/**
 * Creates an approval rule.
 * @throws ApiError 400 if the name is already in use, or if the project already has an any-approver rule or
 * too many rules.
 */
export async function createApprovalRule(
  deps: Deps,
  { project, user }: InProject,
  input: z.infer<typeof newApprovalRule>,
): Promise<approvalRules.ShownRule> {
  const { name, approvals_required, rule_type: ruleType } = input;
  const draft = { name, ruleType, approvalsRequired: approvals_required, ...approversFrom(input) };
  return requireRule(await approvalRules.createRule(deps, project, draft, user), ruleType);
}

function requireRule(
  outcome: approvalRules.ShownRule | approvalRules.RuleRefusal,
  ruleType: (typeof RULE_TYPES)[number],
): approvalRules.ShownRule {
  if (outcome === "not_found") throw notFound("Approval Rule");
  if (outcome === "too_many")
    throw unacceptable({ base: [`A project can have at most ${RULES_MAX} approval rules.`] });
  if (outcome === "taken")
    throw unacceptable(
      ruleType === "any_approver"
        ? { rule_type: ["any-approver for the project already exists"] }
        : { name: ["has already been taken"] },
    );
  return outcome;
}

/** Edits an approval rule. @throws ApiError 404 if the project has no such rule, 400 if the name is already in use. */
export async function changeApprovalRule(
  deps: Deps,
  { project, user }: InProject,
  input: z.infer<typeof approvalRuleChange>,
): Promise<approvalRules.ShownRule> {
  const changes = {
    name: input.name,
    approvalsRequired: input.approvals_required,
    ...approversFrom(input),
    removesHiddenGroups: input.remove_hidden_groups,
  };
  // Only the name of a regular rule can cause a conflict, because the name of the any-approver rule cannot be changed.
  return requireRule(await approvalRules.changeRule(deps, project, input.rule_id, changes, user), "regular");
}

/** Deletes an approval rule. @throws ApiError 404 if the project has no such rule. */
export async function removeApprovalRule(
  deps: Deps,
  { project, user }: InProject,
  { rule_id }: z.infer<typeof ruleReference>,
): Promise<void> {
  if (!(await approvalRules.removeRule(deps, project, rule_id, user))) throw notFound("Approval Rule");
}

/** Returns the approval rules of a merge request. Each rule contains the approvals that count for the rule. */
export async function readApprovalState(
  deps: Deps,
  context: InProject,
  reference: z.infer<typeof mergeRequestReference>,
): Promise<readonly RuleState[]> {
  const mergeRequest = await refreshMergeability(deps, await requireMergeRequest(deps, context, reference));
  const { rules } = await approvalState(deps, mergeRequest);
  const shown = await approvalRules.presentRules(
    deps,
    context.project,
    rules.map(({ rule }) => rule),
    context.user,
  );
  return shown.flatMap((rule, at) => {
    const outcome = rules[at];
    return outcome === undefined ? [] : [{ ...rule, outcome }];
  });
}
