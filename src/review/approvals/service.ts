import type { User } from "@/access/principal";
import { reaches } from "@/access/roles";
import { isPushing } from "@/code/pushes/in-flight";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { rolesAndGroupsOf } from "@/workspace/members/service";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import type { MergeCheck } from "../merge-requests/merge-hooks";
import { type Committers, LEAST_TO_MERGE, type MergeRequest } from "../merge-requests/rules";
import { committersOf } from "../merge-requests/service";
import {
  type Approval,
  type ApprovalConfiguration,
  BY_DEFAULT,
  countedApprovals,
  isCommitter,
  outcomeOf,
  type RuleOutcome,
} from "./rules";
import * as store from "./store";

/** How the merge requests of a project are approved. */
export const readConfiguration = async (
  deps: Pick<Deps, "db">,
  project: Readonly<{ id: number }>,
): Promise<ApprovalConfiguration> => (await store.findConfiguration(deps.db, project.id)) ?? BY_DEFAULT;

/** How many approvals of anybody who may approve a project asks for: the number of its rule for any approver. */
export const approvalsRequiredIn = (
  deps: Pick<Deps, "db">,
  project: Readonly<{ id: number }>,
): Promise<number> => store.approvalsRequiredIn(deps.db, project.id);

export type ConfigurationChanges = Partial<ApprovalConfiguration & Readonly<{ approvalsRequired: number }>>;

/** Changes that; what is not said stays. */
export const changeConfiguration = (
  deps: Deps,
  project: AuthorizedProject,
  { approvalsRequired, ...changes }: ConfigurationChanges,
  by: User,
): Promise<ApprovalConfiguration> =>
  deps.transaction(async (within) => {
    const configuration = await store.change(within.db, project.id, changes);
    if (approvalsRequired !== undefined)
      await store.requireApprovals(within.db, project.id, approvalsRequired);
    const about = { id: project.id, path: project.fullPath };
    await audit.record(within, "project.changed", about, { userId: by.id });
    return configuration;
  });

type ReviewedMergeRequest = Pick<MergeRequest, "id" | "headSha" | "author" | "project">;
type Reading = Pick<Deps, "db" | "clock">;

/** Merge requests need approvals, which a new head or another target branch makes void. */
export const approvalCheck: MergeCheck = {
  findBlocks: async (deps, mergeRequests) => {
    const states = await statesOf(deps, mergeRequests);
    return new Map([...states].flatMap(([id, { left }]) => (left > 0 ? [[id, "not_approved"]] : [])));
  },
  prepareForHead: async (deps, mergeRequest) => {
    const { committersApprovalRefused } = await readConfiguration(deps, mergeRequest.project);
    const committers = committersApprovalRefused ? await committersOf(deps, mergeRequest) : null;
    return (within) => removeVoidApprovals(within, mergeRequest, committers);
  },
  // The commits were approved for the other target branch.
  retargeted: (within, mergeRequest) => removeVoidApprovals(within, mergeRequest, null),
};

/** The approvals that a merge request has and lacks, in all and by each rule. */
export type ApprovalState = Readonly<{
  configuration: ApprovalConfiguration;
  approvals: readonly Approval[];
  rules: readonly RuleOutcome[];
  /** The sums of what the rules ask for, and of what they lack. */
  required: number;
  left: number;
}>;

export async function approvalState(deps: Reading, one: ReviewedMergeRequest): Promise<ApprovalState> {
  const state = (await statesOf(deps, [one])).get(one.id);
  if (state === undefined) throw new Error("Nothing was judged.");
  return state;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

async function statesOf(
  deps: Reading,
  ones: readonly ReviewedMergeRequest[],
  override: Partial<ApprovalConfiguration> = {},
): Promise<ReadonlyMap<number, ApprovalState>> {
  if (ones.length === 0) return new Map();
  const projects = [...new Map(ones.map(({ project }) => [project.id, project])).values()];
  const projectIds = projects.map(({ id }) => id);
  const [configurations, rules, approvals] = await Promise.all([
    store.findConfigurations(deps.db, projectIds),
    store.rulesOf(deps.db, projectIds),
    store.approvalsOf(
      deps.db,
      ones.map(({ id }) => id),
    ),
  ]);
  const groupIds = [...rules.values()].flat().flatMap((rule) => rule.groupIds);
  const users = [...new Set([...approvals.values()].flat().map(({ user }) => user.id))];
  const standings = users.length === 0 ? null : await rolesAndGroupsOf(deps, projects, groupIds, users);
  return new Map(
    ones.map((one) => {
      const configuration = { ...(configurations.get(one.project.id) ?? BY_DEFAULT), ...override };
      // Approvals of users who may no longer approve do not count.
      const kept = (approvals.get(one.id) ?? []).flatMap(({ admin, ...given }) => {
        const role = admin ? "owner" : (standings?.roleIn(one.project, given.user.id) ?? null);
        if (given.user.state !== "active" || !reaches(role, LEAST_TO_MERGE)) return [];
        // The push may have changed the source branch already, and is not recorded yet.
        if (configuration.committersApprovalRefused && isPushing(one.project.id, given.user.id)) return [];
        return [{ ...given, groupIds: standings?.groupsOf(given.user.id) ?? new Set<number>() }];
      });
      const counted = countedApprovals(kept, one, configuration);
      const outcomes = (rules.get(one.project.id) ?? []).map((rule) => outcomeOf(rule, counted));
      const state = {
        configuration,
        approvals: counted,
        rules: outcomes,
        required: sum(outcomes.map(({ rule }) => rule.approvalsRequired)),
        left: sum(outcomes.map(({ left }) => left)),
      };
      return [one.id, state];
    }),
  );
}

/**
 * How many approvals that count each of these has for the very head that it is at, whatever a push takes away otherwise.
 * By their ids.
 */
export async function approvalsOfHead(
  deps: Reading,
  ones: readonly ReviewedMergeRequest[],
): Promise<ReadonlyMap<number, number>> {
  const states = await statesOf(deps, ones, { resetOnPush: true });
  return new Map([...states].map(([id, { approvals }]) => [id, approvals.length]));
}

/**
 * Removes the approvals that a push to the source branch, or another target branch, makes void. Runs in the transaction
 * that records the change.
 * @param committers of the commits as they are now; null where the commits stay.
 */
async function removeVoidApprovals(
  deps: Pick<Deps, "db">,
  one: ReviewedMergeRequest,
  committers: Committers | null,
): Promise<void> {
  const { resetOnPush, committersApprovalRefused } = await readConfiguration(deps, one.project);
  if (resetOnPush) return store.removeAll(deps.db, one.id);
  if (committers === null || !committersApprovalRefused) return;
  const approvers = await store.approversOf(deps.db, one.id);
  const userIds = approvers.filter((user) => isCommitter(committers, user)).map(({ id }) => id);
  await store.removeOf(deps.db, one.id, userIds);
}

/**
 * Removes what a user has approved of the branches that the user has just pushed, where committers may not approve: a
 * reader may have seen the new head before it was recorded who pushed it.
 */
export async function removePusherApprovals(
  deps: Pick<Deps, "db">,
  { project, user }: Readonly<{ project: Readonly<{ id: number }>; user: Pick<User, "id"> }>,
  branches: readonly string[],
): Promise<void> {
  if (branches.length === 0) return;
  const { committersApprovalRefused } = await readConfiguration(deps, project);
  if (committersApprovalRefused) await store.removeFromBranches(deps.db, project.id, branches, user.id);
}

/** Records that a user who may approves the head that they have seen. */
export const recordApproval = (deps: Deps, one: Approved, user: User): Promise<void> =>
  deps.transaction(async (within) => {
    await store.approve(within.db, one.id, { userId: user.id, headSha: one.headSha, now: within.clock() });
    await recordAuditEvent(within, "merge_request.approved", one, user);
  });

/** @returns false when they had not approved. */
export const withdrawApproval = (deps: Deps, one: Approved, user: User): Promise<boolean> =>
  deps.transaction(async (within) => {
    if (!(await store.unapprove(within.db, one.id, user.id))) return false;
    await recordAuditEvent(within, "merge_request.unapproved", one, user);
    return true;
  });

type Approved = Pick<MergeRequest, "id" | "iid" | "headSha" | "project">;

const recordAuditEvent = (
  deps: Pick<Deps, "db" | "clock">,
  name: "merge_request.approved" | "merge_request.unapproved",
  { iid, headSha, project }: Approved,
  by: User,
): Promise<void> =>
  audit.record(
    deps,
    name,
    { id: project.id, path: project.fullPath, iid, commit: headSha },
    { userId: by.id },
  );
