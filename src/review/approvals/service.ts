import type { User } from "@/access/principal";
import { reaches } from "@/access/roles";
import { isPushing } from "@/code/pushes/in-flight";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { rolesAndGroupsOf } from "@/workspace/members/service";
import type { MergeCheck } from "../merge-requests/merge-hooks";
import { LEAST_TO_MERGE, type MergeRequest } from "../merge-requests/rules";
import { committersOf } from "../merge-requests/service";
import { removeVoidApprovals } from "./after-push";
import { readConfiguration } from "./configuration";
import {
  type Approval,
  type ApprovalConfiguration,
  BY_DEFAULT,
  countedApprovals,
  outcomeOf,
  type RuleOutcome,
} from "./rules";
import * as store from "./store";

type ReviewedMergeRequest = Pick<MergeRequest, "id" | "headSha" | "author" | "project">;

type Reading = Pick<Deps, "db" | "reads" | "clock">;

/**
 * The merge check that blocks merge requests without enough approvals. When the head or the target branch of
 * a merge request changes, the merge check removes invalid approvals.
 */
export const approvalCheck: MergeCheck = {
  findBlocks: async (deps, mergeRequests) => {
    const states = await statesOf(deps, mergeRequests);
    return new Map([...states].flatMap(([id, { left }]) => (left > 0 ? [[id, "not_approved"]] : [])));
  },
  prepareForHead: async (deps, mergeRequest) => {
    const { committersApprovalRefused } = await readConfiguration(deps, mergeRequest.project);
    const committers = committersApprovalRefused ? await committersOf(deps, mergeRequest) : null;
    return (within, userId) =>
      removeVoidApprovals(within, mergeRequest, { cause: "push", userId, committers });
  },
  // An approval is valid only for the target branch that the merge request had at the time of the approval.
  retargeted: (within, mergeRequest, userId) =>
    removeVoidApprovals(within, mergeRequest, { cause: "target_changed", userId, committers: null }),
};

/**
 * The approvals of a merge request, the total number of missing approvals, and the number of missing
 * approvals for each approval rule.
 */
export type ApprovalState = Readonly<{
  configuration: ApprovalConfiguration;
  approvals: readonly Approval[];
  rules: readonly RuleOutcome[];
  /** The number of approvals that all rules together require. */
  required: number;
  left: number;
}>;

/** Returns the approvals of a merge request, and the number of missing approvals. */
export async function approvalState(
  deps: Reading,
  mergeRequest: ReviewedMergeRequest,
): Promise<ApprovalState> {
  const state = (await statesOf(deps, [mergeRequest])).get(mergeRequest.id);
  if (state === undefined) throw new Error("The approval state is missing.");
  return state;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

async function statesOf(
  deps: Reading,
  mergeRequests: readonly ReviewedMergeRequest[],
  override: Partial<ApprovalConfiguration> = {},
): Promise<ReadonlyMap<number, ApprovalState>> {
  if (mergeRequests.length === 0) return new Map();
  const projects = [...new Map(mergeRequests.map(({ project }) => [project.id, project])).values()];
  const projectIds = projects.map(({ id }) => id);
  const [configurations, rules, approvals] = await Promise.all([
    store.findConfigurations(deps.reads, projectIds),
    store.rulesOf(deps.reads, projectIds),
    store.approvalsOf(
      deps.reads,
      mergeRequests.map(({ id }) => id),
    ),
  ]);
  const groupIds = [...rules.values()].flat().flatMap((rule) => rule.groupIds);
  const users = [...new Set([...approvals.values()].flat().map(({ user }) => user.id))];
  const memberships = users.length === 0 ? null : await rolesAndGroupsOf(deps, projects, groupIds, users);
  return new Map(
    mergeRequests.map((mergeRequest) => {
      const configuration = { ...(configurations.get(mergeRequest.project.id) ?? BY_DEFAULT), ...override };
      // Approvals of users who may no longer approve are excluded.
      const eligible = (approvals.get(mergeRequest.id) ?? []).flatMap(({ admin, ...given }) => {
        const role = admin ? "owner" : (memberships?.roleIn(mergeRequest.project, given.user.id) ?? null);
        if (given.user.state !== "active" || !reaches(role, LEAST_TO_MERGE)) return [];
        // A push in flight by the approver may already have changed the source branch, but the push is
        // recorded only when it ends.
        if (configuration.committersApprovalRefused && isPushing(mergeRequest.project.id, given.user.id))
          return [];
        return [{ ...given, groupIds: memberships?.groupsOf(given.user.id) ?? new Set<number>() }];
      });
      const counted = countedApprovals(eligible, mergeRequest, configuration);
      const outcomes = (rules.get(mergeRequest.project.id) ?? []).map((rule) => outcomeOf(rule, counted));
      const state = {
        configuration,
        approvals: counted,
        rules: outcomes,
        required: sum(outcomes.map(({ rule }) => rule.approvalsRequired)),
        left: sum(outcomes.map(({ left }) => left)),
      };
      return [mergeRequest.id, state];
    }),
  );
}

/**
 * Returns the number of approvals of the current head, with the merge request id as key. Approvals of earlier
 * heads are not counted, even if the setting `resetOnPush` is off.
 */
export async function approvalsOfHead(
  deps: Reading,
  mergeRequests: readonly ReviewedMergeRequest[],
): Promise<ReadonlyMap<number, number>> {
  const states = await statesOf(deps, mergeRequests, { resetOnPush: true });
  return new Map([...states].map(([id, { approvals }]) => [id, approvals.length]));
}

/**
 * Records an approval of the current head of a merge request. The caller of this function must have checked
 * that the user may approve.
 */
export const recordApproval = (deps: Deps, mergeRequest: ApprovedMergeRequest, user: User): Promise<void> =>
  deps.transaction(async (within) => {
    await store.approve(within.db, mergeRequest.id, {
      userId: user.id,
      headSha: mergeRequest.headSha,
      now: within.clock(),
    });
    await recordAuditEvent(within, "merge_request.approved", mergeRequest, user);
  });

/** Withdraws the approval of a user. @returns false if the user has not approved the merge request. */
export const withdrawApproval = (
  deps: Deps,
  mergeRequest: ApprovedMergeRequest,
  user: User,
): Promise<boolean> =>
  deps.transaction(async (within) => {
    if (!(await store.unapprove(within.db, mergeRequest.id, user.id))) return false;
    await recordAuditEvent(within, "merge_request.unapproved", mergeRequest, user);
    return true;
  });

type ApprovedMergeRequest = Pick<MergeRequest, "id" | "iid" | "headSha" | "project">;

const recordAuditEvent = (
  deps: Deps,
  name: "merge_request.approved" | "merge_request.unapproved",
  { iid, headSha, project }: ApprovedMergeRequest,
  by: User,
): Promise<void> =>
  audit.record(
    deps,
    name,
    { id: project.id, path: project.fullPath, iid, commit: headSha },
    { userId: by.id },
  );
