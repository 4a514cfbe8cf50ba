import type { User } from "@/access/principal";
import type { Deps } from "@/platform/deps";
import * as audit from "../audit/service";
import type { MergeRequest } from "../merge-requests/rules";
import type { AuthorizedProject } from "../projects/rules";
import { type Approval, type ApprovalConfiguration, approvalsLeft, BY_DEFAULT, counting } from "./rules";
import * as store from "./store";

/** How the merge requests of a project are approved. */
export const readConfiguration = async (
  deps: Pick<Deps, "db">,
  project: Readonly<{ id: number }>,
): Promise<ApprovalConfiguration> => (await store.findConfiguration(deps.db, project.id)) ?? BY_DEFAULT;

/** Changes that; what is not said stays. */
export const changeConfiguration = (
  deps: Deps,
  project: AuthorizedProject,
  changes: Partial<ApprovalConfiguration>,
  by: User,
): Promise<ApprovalConfiguration> =>
  deps.transaction(async (db) => {
    const configuration = await store.change(db, project.id, changes);
    const about = { id: project.id, path: project.fullPath };
    await audit.record({ ...deps, db }, "project.changed", about, { userId: by.id });
    return configuration;
  });

type Judged = Pick<MergeRequest, "id" | "headSha" | "author" | "project">;

/** Whether a merge request still waits for approvals. Merging asks this, and nothing else, about them. */
export const approvalsMissing = async (deps: Pick<Deps, "db">, one: Judged): Promise<boolean> =>
  (await missingApprovals(deps, [one])).has(one.id);

/** Which of these still wait for approvals, by their ids: two queries, however many they are. */
export async function missingApprovals(
  deps: Pick<Deps, "db">,
  ones: readonly Judged[],
): Promise<ReadonlySet<number>> {
  if (ones.length === 0) return new Set();
  const [configurations, approvals] = await Promise.all([
    store.findConfigurations(
      deps.db,
      ones.map(({ project }) => project.id),
    ),
    store.approvalsOf(
      deps.db,
      ones.map(({ id }) => id),
    ),
  ]);
  const waiting = ones.filter((one) => {
    const configuration = configurations.get(one.project.id) ?? BY_DEFAULT;
    return approvalsLeft(approvals.get(one.id) ?? [], one, configuration) > 0;
  });
  return new Set(waiting.map(({ id }) => id));
}

/** What approvals a merge request has and lacks. */
export type ApprovalState = Readonly<{
  configuration: ApprovalConfiguration;
  approvals: readonly Approval[];
  left: number;
}>;

export async function approvalState(deps: Pick<Deps, "db">, one: Judged): Promise<ApprovalState> {
  const [configuration, approvals] = await Promise.all([
    readConfiguration(deps, one.project),
    store.approvalsOf(deps.db, [one.id]),
  ]);
  const all = approvals.get(one.id) ?? [];
  return {
    configuration,
    approvals: counting(all, one, configuration),
    left: approvalsLeft(all, one, configuration),
  };
}

/** Somebody has pushed to the source branch, or sent it to another target. Runs in the transaction that records it. */
export async function meaningChanged(deps: Pick<Deps, "db">, one: Judged): Promise<void> {
  const { resetOnPush } = await readConfiguration(deps, one.project);
  if (resetOnPush) await store.removeAll(deps.db, one.id);
}

/** Records that somebody who may approves the head that they have seen. */
export const recordApproval = (deps: Deps, one: Judged, user: User): Promise<void> =>
  store.approve(deps.db, one.id, { userId: user.id, headSha: one.headSha, now: deps.clock() });

/** @returns false when they had not approved. */
export const withdrawApproval = (deps: Deps, one: Judged, user: User): Promise<boolean> =>
  store.unapprove(deps.db, one.id, user.id);
