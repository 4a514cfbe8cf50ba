import { z } from "zod";
import { type ApprovalRefusal, approvalRefusal, approve, unapprove } from "@/features/approvals/approving";
import { APPROVALS_REQUIRED_MAX, type ApprovalConfiguration } from "@/features/approvals/rules";
import { approvalState, changeConfiguration, readConfiguration } from "@/features/approvals/service";
import { current } from "@/features/merge-requests/merging";
import type { MergeRequest } from "@/features/merge-requests/rules";
import { judge } from "@/features/merge-requests/service";
import { PasswordsBusy } from "@/platform/crypto/password";
import type { Deps } from "@/platform/deps";
import type { MergeRequestApprovals } from "./entities/approval";
import { busy, conflict, forbidden, forbiddenBecause, invalidParameters, notFound } from "./errors";
import { flag, text, whole } from "./fields";
import { found, mergeRequestReference } from "./merge-requests";
import type { InProject, OpenProject } from "./project-endpoint";

/** How the merge requests of a project are approved. */
export const readApprovalConfiguration = (
  deps: Deps,
  { project }: InProject,
): Promise<ApprovalConfiguration> => readConfiguration(deps, project);

export const approvalConfigurationChange = z.object({
  approvals_before_merge: whole.pipe(z.int().max(APPROVALS_REQUIRED_MAX)).optional(),
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
): Promise<ApprovalConfiguration> {
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
  return changeConfiguration(deps, project, Object.fromEntries(said), user);
}

/** The approvals that a merge request has and lacks. */
export async function readApprovals(
  deps: Deps,
  who: OpenProject,
  reference: z.infer<typeof mergeRequestReference>,
): Promise<MergeRequestApprovals> {
  return approvalsOf(deps, who, await current(deps, await found(deps, who, reference)));
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
    (await approvalRefusal(deps, { project, user }, one, state.configuration)) === null;
  return { ...state, one: await judge(deps, one), canApprove };
}

export const approvalAsk = mergeRequestReference.extend({
  sha: text(64).optional().describe("The head that you have seen; another one is not approved."),
  approval_password: z.string().max(1_024).optional().describe("Where the project asks for it."),
});

/** @throws ApiError 403, 404, or 409 for another head. */
export async function approveMergeRequest(
  deps: Deps,
  who: InProject,
  { iid, sha, approval_password }: z.infer<typeof approvalAsk>,
): Promise<MergeRequestApprovals> {
  const one = await found(deps, who, { iid });
  const ask = { sha: sha || undefined, password: approval_password };
  const outcome = await approve(deps, who, one, ask).catch((cause: unknown) => {
    throw cause instanceof PasswordsBusy ? busy() : cause;
  });
  if (typeof outcome === "string" || "head" in outcome) throw refused(outcome);
  return approvalsOf(deps, who, outcome);
}

function refused(refusal: ApprovalRefusal) {
  if (typeof refusal !== "string")
    return conflict(`SHA does not match HEAD of source branch: ${refusal.head}`);
  if (refusal === "not_allowed") return forbidden();
  if (refusal === "own") return forbiddenBecause("You may not approve your own merge request.");
  if (refusal === "committer") return forbiddenBecause("You may not approve your own commits.");
  if (refusal === "password") return forbiddenBecause("Approving takes your password.");
  return forbiddenBecause("The merge request is not open.");
}

/** @throws ApiError 404 where the caller has not approved it, 403 where it is not open. */
export async function unapproveMergeRequest(
  deps: Deps,
  who: InProject,
  reference: z.infer<typeof mergeRequestReference>,
): Promise<MergeRequestApprovals> {
  const outcome = await unapprove(deps, who, await found(deps, who, reference));
  if (outcome === "not_approved") throw notFound("Approval");
  if (outcome === "not_open") throw refused(outcome);
  return approvalsOf(deps, who, outcome);
}
