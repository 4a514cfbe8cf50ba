import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import type { Committers, MergeRequest } from "../merge-requests/rules";
import { readConfiguration } from "./configuration";
import { isCommitter } from "./rules";
import * as store from "./store";

/**
 * After a push to the source branch or a change of the target branch, removes those approvals of the merge
 * request that have become invalid. Call this function in the transaction that records the push or the
 * change.
 * @param committers the users who count as committers of the merge request's commits; null if the commits
 * have not changed or the project allows approvals by committers.
 */
export async function removeVoidApprovals(
  deps: Pick<Deps, "db" | "reads">,
  mergeRequest: Pick<MergeRequest, "id" | "project">,
  committers: Committers | null,
): Promise<void> {
  const { resetOnPush, committersApprovalRefused } = await readConfiguration(deps, mergeRequest.project);
  if (resetOnPush) return store.removeAll(deps.db, mergeRequest.id);
  if (committers === null || !committersApprovalRefused) return;
  const approvers = await store.approversOf(deps.db, mergeRequest.id);
  const userIds = approvers.filter((user) => isCommitter(committers, user)).map(({ id }) => id);
  await store.removeOf(deps.db, mergeRequest.id, userIds);
}

/**
 * If committers may not approve, removes the approvals that a user has given to merge requests whose source
 * branches the user has just pushed. The removal is necessary because another HTTP request may have recorded
 * the new head, and that request did not know the user of the push.
 */
export async function removePusherApprovals(
  deps: Pick<Deps, "db" | "reads">,
  { project, user }: Readonly<{ project: Readonly<{ id: number }>; user: Pick<User, "id"> }>,
  branches: readonly string[],
): Promise<void> {
  if (branches.length === 0) return;
  const { committersApprovalRefused } = await readConfiguration(deps, project);
  if (committersApprovalRefused) await store.removeFromBranches(deps.db, project.id, branches, user.id);
}
