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
import * as approvalRules from "@/review/approvals/rule-editing";
import {
  APPROVALS_REQUIRED_MAX,
  type ApprovalConfiguration,
  RULE_NAME_CHARACTERS_MAX,
  RULE_TYPES,
  RULES_MAX,
} from "@/review/approvals/rules";
import {
  approvalState,
  approvalsRequiredIn,
  changeConfiguration,
  readConfiguration,
} from "@/review/approvals/service";
import { refreshMergeability } from "@/review/merge-requests/merge-worker";
import type { MergeRequest } from "@/review/merge-requests/rules";
import { withStatus } from "@/review/merge-requests/service";
import type { InProject, OpenProject } from "@/workspace/api/places";
import type { MergeRequestApprovals, ProjectApprovals, RuleState } from "./entities/approval";
import { mergeRequestReference, requireMergeRequest } from "./merge-request";

/** How the merge requests of a project are approved. */
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
  approvals_before_merge: approvalsRequired.optional().describe("The number of the rule for any approver."),
  reset_approvals_on_push: flag.optional(),
  selective_code_owner_removals: flag.optional().describe("Of no effect: there are no owners of code here."),
  disable_overriding_approvers_per_merge_request: flag
    .optional()
    .describe("Of no effect: a merge request asks for what its project does."),
  merge_requests_author_approval: flag.optional(),
  merge_requests_disable_committers_approval: flag.optional(),
  require_password_to_approve: flag.optional(),
  require_reauthentication_to_approve: flag.optional().describe("The same, by its newer name."),
});

/** @throws ApiError 400 where nothing that can be changed was sent. */
export async function changeApprovalConfiguration(
  deps: Deps,
  { project, user }: InProject,
  sent: z.infer<typeof approvalConfigurationChange>,
): Promise<ProjectApprovals> {
  const changes = {
    approvalsRequired: sent.approvals_before_merge,
    resetOnPush: sent.reset_approvals_on_push,
    selectiveOwnerRemovals: sent.selective_code_owner_removals,
    overridingDisabled: sent.disable_overriding_approvers_per_merge_request,
    authorApproval: sent.merge_requests_author_approval,
    committersApprovalRefused: sent.merge_requests_disable_committers_approval,
    passwordRequired: sent.require_password_to_approve ?? sent.require_reauthentication_to_approve,
  };
  const said = Object.entries(changes).filter(([, value]) => value !== undefined);
  if (said.length === 0)
    throw invalidParameters([
      `${Object.keys(approvalConfigurationChange.shape).join(", ")} are missing, at least one parameter must be provided`,
    ]);
  return shownWith(deps, project, await changeConfiguration(deps, project, Object.fromEntries(said), user));
}

/** The approvals that a merge request has and lacks. */
export async function readApprovals(
  deps: Deps,
  who: OpenProject,
  reference: z.infer<typeof mergeRequestReference>,
): Promise<MergeRequestApprovals> {
  return approvalsOf(
    deps,
    who,
    await refreshMergeability(deps, await requireMergeRequest(deps, who, reference)),
  );
}

async function approvalsOf(
  deps: Deps,
  { project, caller }: OpenProject,
  one: MergeRequest,
): Promise<MergeRequestApprovals> {
  const state = await approvalState(deps, one);
  const user = caller?.user ?? null;
  const canApprove =
    user !== null &&
    !state.approvals.some((approval) => approval.user.id === user.id) &&
    (await findApproverRefusal(deps, { project, user }, one, state.configuration)) === null;
  return { ...state, one: await withStatus(deps, one), canApprove };
}

export const approvalInput = mergeRequestReference.extend({
  sha: text(64).optional().describe("The head that you have seen; another one is not approved."),
  approval_password: z.string().max(1_024).optional().describe("Where the project asks for it."),
});

/** @throws ApiError 403, 404, or 409 for another head. */
export async function approveMergeRequest(
  deps: Deps,
  who: InProject,
  { iid, sha, approval_password }: z.infer<typeof approvalInput>,
): Promise<MergeRequestApprovals> {
  const one = await requireMergeRequest(deps, who, { iid });
  const ask = { sha: sha || undefined, password: approval_password };
  const outcome = await approve(deps, who, one, ask).catch((cause: unknown) => {
    throw cause instanceof PasswordsBusy ? busy() : cause;
  });
  if (typeof outcome === "string" || "head" in outcome) throw refusalError(outcome);
  return approvalsOf(deps, who, outcome);
}

function refusalError(refusal: ApprovalRefusal) {
  if (typeof refusal !== "string")
    return conflict(`SHA does not match HEAD of source branch: ${refusal.head}`);
  if (refusal === "not_allowed") return forbidden();
  if (refusal === "own") return forbiddenBecause("You may not approve your own merge request.");
  if (refusal === "committer") return forbiddenBecause("You may not approve your own commits.");
  if (refusal === "password") return forbiddenBecause("Approving takes your password.");
  if (refusal === "too_many_passwords")
    return forbiddenBecause("Too many wrong passwords. Try again in a few minutes.");
  return forbiddenBecause("The merge request is not open.");
}

/** @throws ApiError 404 where the caller has not approved it, 403 where it is not open. */
export async function unapproveMergeRequest(
  deps: Deps,
  who: InProject,
  reference: z.infer<typeof mergeRequestReference>,
): Promise<MergeRequestApprovals> {
  const outcome = await unapprove(deps, who, await requireMergeRequest(deps, who, reference));
  if (outcome === "not_approved") throw notFound("Approval");
  if (outcome === "not_open") throw refusalError(outcome);
  return approvalsOf(deps, who, outcome);
}

const approverFields = {
  user_ids: ids.optional().describe("Members of the project; others are left out."),
  usernames: words.optional().describe("The same by their usernames."),
  group_ids: ids.optional().describe("Groups that you see; others are left out."),
};

const ruleName = text(RULE_NAME_CHARACTERS_MAX).min(1);

export const newApprovalRule = z.object({
  name: ruleName,
  approvals_required: approvalsRequired,
  rule_type: z.enum(RULE_TYPES).default("regular").describe("any_approver: whoever may approve; one of it."),
  ...approverFields,
});

export const ruleReference = z.object({ rule_id: id });

export const approvalRuleChange = ruleReference.extend({
  name: ruleName.optional(),
  approvals_required: approvalsRequired.optional(),
  ...approverFields,
  remove_hidden_groups: flag.optional().describe("Takes away groups that you do not see, too."),
});

const approversFrom = (
  sent: Pick<z.infer<typeof newApprovalRule>, "user_ids" | "usernames" | "group_ids">,
) => ({
  userIds: sent.user_ids,
  usernames: sent.usernames,
  groupIds: sent.group_ids,
});

export const listApprovalRules = (
  deps: Deps,
  { project, user }: InProject,
  _input: object,
  paging: Paging,
): Promise<Page<approvalRules.ShownRule>> => approvalRules.listRules(deps, project, user, paging);

/** @throws ApiError 404 where the project has no such rule. */
export async function readApprovalRule(
  deps: Deps,
  { project, user }: InProject,
  { rule_id }: z.infer<typeof ruleReference>,
): Promise<approvalRules.ShownRule> {
  const rule = await approvalRules.findRule(deps, project, user, rule_id);
  if (rule === null) throw notFound("Approval Rule");
  return rule;
}

/** @throws ApiError 400 for a name that is taken, for a second rule for any approver, and for too many. */
export async function createApprovalRule(
  deps: Deps,
  { project, user }: InProject,
  sent: z.infer<typeof newApprovalRule>,
): Promise<approvalRules.ShownRule> {
  const { name, approvals_required, rule_type: ruleType } = sent;
  const draft = { name, ruleType, approvalsRequired: approvals_required, ...approversFrom(sent) };
  const made = await approvalRules.createRule(deps, project, draft, user);
  return requireRule(made, ruleType);
}

function requireRule(
  outcome: approvalRules.ShownRule | approvalRules.RuleRefusal,
  ruleType: (typeof RULE_TYPES)[number],
): approvalRules.ShownRule {
  if (outcome === "not_found") throw notFound("Approval Rule");
  if (outcome === "too_many")
    throw unacceptable({ base: [`A project has at most ${RULES_MAX} approval rules.`] });
  if (outcome === "taken")
    throw unacceptable(
      ruleType === "any_approver"
        ? { rule_type: ["any-approver for the project already exists"] }
        : { name: ["has already been taken"] },
    );
  return outcome;
}

/** @throws ApiError 404 where the project has no such rule, 400 for a name that is taken. */
export async function changeApprovalRule(
  deps: Deps,
  { project, user }: InProject,
  sent: z.infer<typeof approvalRuleChange>,
): Promise<approvalRules.ShownRule> {
  const changes = {
    name: sent.name,
    approvalsRequired: sent.approvals_required,
    ...approversFrom(sent),
    removesHiddenGroups: sent.remove_hidden_groups,
  };
  // There is one rule for any approver, so that a name that is taken is that of a regular one.
  return requireRule(await approvalRules.changeRule(deps, project, sent.rule_id, changes, user), "regular");
}

/** @throws ApiError 404 where the project has no such rule. */
export async function removeApprovalRule(
  deps: Deps,
  { project, user }: InProject,
  { rule_id }: z.infer<typeof ruleReference>,
): Promise<void> {
  if (!(await approvalRules.removeRule(deps, project, rule_id, user))) throw notFound("Approval Rule");
}

/** The rules of a merge request's project, each with who has approved of those that it asks for. */
export async function readApprovalState(
  deps: Deps,
  who: InProject,
  reference: z.infer<typeof mergeRequestReference>,
): Promise<readonly RuleState[]> {
  const one = await refreshMergeability(deps, await requireMergeRequest(deps, who, reference));
  const { rules } = await approvalState(deps, one);
  const shown = await approvalRules.presentRules(
    deps,
    who.project,
    rules.map(({ rule }) => rule),
    who.user,
  );
  return shown.flatMap((rule, at) => {
    const outcome = rules[at];
    return outcome === undefined ? [] : [{ ...rule, outcome }];
  });
}
