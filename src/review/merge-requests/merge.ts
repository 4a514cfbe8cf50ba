import { reaches } from "@/access/roles";
import { branchRights } from "@/code/protected-branches/service";
import type { Deps } from "@/kernel/deps/deps";
import { phaseOf, transition } from "./lifecycle";
import * as lifecycleStore from "./lifecycle-store";
import { blocksOf } from "./merge-hooks";
import {
  type AbortedMerge,
  type PerformedRebase,
  performMerge,
  performRebase,
  refreshMergeability,
} from "./merge-worker";
import { isWorthWaiting, LEAST_TO_MERGE, type MergeRequest, mayChange, statusOf } from "./rules";
import { type Actor, mayMergeInto } from "./service";
import * as store from "./store";

/** The options of a merge. If an option is undefined, the stored option of the merge request applies. */
export type MergeInput = Readonly<{
  /** The id of the head commit that the user has reviewed. */
  sha?: string | undefined;
  squash?: boolean | undefined;
  removesSource?: boolean | undefined;
  mergeMessage?: string | undefined;
  squashMessage?: string | undefined;
  /** Whether to enable auto-merge if the merge request cannot be merged yet. */
  whenReady?: boolean | undefined;
}>;

/**
 * The reason why a merge is refused. `head` is the current head of the source branch, which differs from the head in
 * the request.
 */
export type MergeRefusal = "not_allowed" | AbortedMerge | Readonly<{ head: string }>;

/**
 * Merges a merge request, or enables auto-merge.
 * @returns the updated merge request, or the reason for the refusal.
 */
export async function merge(
  deps: Deps,
  { project, user }: Actor,
  stored: MergeRequest,
  input: MergeInput,
): Promise<MergeRequest | MergeRefusal> {
  if (!reaches(project.role, LEAST_TO_MERGE)) return "not_allowed";
  const mergeRequest = await refreshMergeability(deps, stored);
  const { id, headSha } = mergeRequest;
  if (!(await mayMergeInto(deps, project, mergeRequest.targetBranch))) return "not_allowed";
  if (input.sha !== undefined && input.sha !== headSha) return { head: headSha };
  const status = statusOf(mergeRequest, await blocksOf(deps, mergeRequest));
  const terms = {
    squash: input.squash ?? mergeRequest.squash,
    removesSource: input.removesSource ?? mergeRequest.removesSource,
    mergeMessage: input.mergeMessage ?? null,
    squashMessage: input.squashMessage ?? null,
  };
  if (status === "mergeable") return performMerge(deps, { ...mergeRequest, ...terms }, user);
  if (input.whenReady === true && isWorthWaiting(status)) {
    const scheduled = { at: deps.clock(), sha: input.sha ?? null, userId: user.id, ...terms };
    if (!(await lifecycleStore.scheduleMerge(deps.db, mergeRequest, scheduled))) return "not_mergeable";
    return (await store.findById(deps.reads, id)) ?? "not_mergeable";
  }
  return status === "conflict" ? "conflict" : "not_mergeable";
}

/** Disables auto-merge. @returns the updated merge request, or the reason for the refusal. */
export async function cancelScheduledMerge(
  deps: Deps,
  { project, user }: Actor,
  mergeRequest: MergeRequest,
): Promise<MergeRequest | "not_allowed" | "not_set"> {
  if (!mayChange(mergeRequest, project.role, user)) return "not_allowed";
  const { id } = mergeRequest;
  if (!(await lifecycleStore.cancelScheduledMerge(deps.db, id, deps.clock(), null))) return "not_set";
  return (await store.findById(deps.reads, id)) ?? mergeRequest;
}

export type RebaseOutcome = PerformedRebase | "not_allowed" | "not_open";

/**
 * Rebases the source branch onto the target branch. The user must have the right to force-push to the source branch.
 */
export async function rebaseMergeRequest(
  deps: Deps,
  { project, user }: Actor,
  stored: MergeRequest,
): Promise<RebaseOutcome> {
  const isAllowed =
    reaches(project.role, LEAST_TO_MERGE) &&
    (await branchRights(deps, project, stored.sourceBranch)).mayForcePush;
  if (!isAllowed) return "not_allowed";
  const mergeRequest = await refreshMergeability(deps, stored);
  const { checkedSha: target, mergeability, behind } = mergeRequest;
  const isOpen = transition(phaseOf(mergeRequest), "rebase") !== null;
  if (!isOpen || target === null || mergeability === "missing") return "not_open";
  return behind ? performRebase(deps, mergeRequest, { target, by: user }) : mergeRequest;
}
