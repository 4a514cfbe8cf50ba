import type { RecordedPusher } from "@/code/pushes/push-listener";
import type { AuditEvents } from "@/instance/audit/catalog";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Committers, MergeRequest } from "../merge-requests/rules";
import { readConfiguration } from "./configuration";
import { isCommitter } from "./rules";
import * as store from "./store";

/** A change that can make the approvals of a merge request invalid. */
export type ApprovalChange = Readonly<{
  cause: "push" | "target_changed";
  /** The user who pushed or changed the target branch; null if unknown. */
  userId: number | null;
  /**
   * The users who count as committers of the merge request's commits; null if the commits have not changed or
   * the project allows approvals by committers.
   */
  committers: Committers | null;
}>;

/**
 * After a push to the source branch or a change of the target branch, removes those approvals of the merge
 * request that have become invalid. Call this function in the transaction that records the push or the
 * change.
 */
export async function removeVoidApprovals(
  within: Deps,
  mergeRequest: Pick<MergeRequest, "id" | "project">,
  { cause, userId, committers }: ApprovalChange,
): Promise<void> {
  const { project } = mergeRequest;
  const { resetOnPush, committersApprovalRefused } = await readConfiguration(within, project);
  if (resetOnPush) {
    const removed = await store.removeAll(within.db, mergeRequest.id);
    return recordRemoval(within, project, { cause, userId, removed });
  }
  if (committers === null || !committersApprovalRefused) return;
  const approvers = await store.approversOf(within.db, mergeRequest.id);
  const userIds = approvers.filter((user) => isCommitter(committers, user)).map(({ id }) => id);
  const removed = await store.removeOf(within.db, mergeRequest.id, userIds);
  await recordRemoval(within, project, { cause: "committer", userId, removed });
}

/**
 * If committers may not approve, removes the approvals that a user has given to merge requests whose source
 * branches the user has just pushed. The removal is necessary because another HTTP request may have recorded
 * the new head, and that request did not know the user of the push.
 */
export async function removePusherApprovals(
  deps: Deps,
  { project, user }: RecordedPusher,
  branches: readonly string[],
): Promise<void> {
  if (branches.length === 0 || user === null) return;
  const { committersApprovalRefused } = await readConfiguration(deps, project);
  if (!committersApprovalRefused) return;
  await deps.transaction(async (within) => {
    const removed = await store.removeFromBranches(within.db, project.id, branches, user.id);
    await recordRemoval(within, project, { cause: "committer", userId: user.id, removed });
  });
}

type Removal = Readonly<{
  cause: AuditEvents["merge_request.approvals_removed"]["cause"];
  userId: number | null;
  removed: readonly store.RemovedApproval[];
}>;

/** Records an audit event for each merge request whose approvals were removed. */
async function recordRemoval(
  within: Deps,
  { id, fullPath: path }: RecordedPusher["project"],
  { cause, userId, removed }: Removal,
): Promise<void> {
  for (const iid of new Set(removed.map((approval) => approval.iid))) {
    const approvals = removed
      .filter((approval) => approval.iid === iid)
      .map(({ iid: _, ...approval }) => approval);
    await audit.record(
      within,
      "merge_request.approvals_removed",
      { id, path, iid, cause, approvals },
      { userId },
    );
  }
}
