import type { User } from "@/access/principal";
import { branchRights } from "@/code/protected-branches/service";
import { changeAsPush } from "@/code/pushes/service";
import { defaultBranch } from "@/code/repositories/reference";
import { findById as findUser } from "@/identity/users/service";
import * as audit from "@/instance/audit/service";
import type { Db } from "@/kernel/db/db";
import type { Deps } from "@/kernel/deps/deps";
import { findProject, lockProject, recordActivity } from "@/workspace/projects/service";
import { assessBranches, branchContains, dropBranch, inspectBranches, moveBranch } from "./branches";
import { announceChange } from "./change-listener";
import { type CleanupEffect, phaseOf, type RecordEffect, type RefreshEffect, transition } from "./lifecycle";
import * as lifecycleStore from "./lifecycle-store";
import { type MergePlan, planMerge } from "./merge-commit";
import { blocksOf, prepareForHead, refreshChecks } from "./merge-hooks";
import { waitForPushes } from "./pending-pushes";
import { type RebaseRefusal, rebase } from "./rebase";
import type { NextVersion } from "./row";
import { detailedMergeStatus, type MergeRequest, statusOf } from "./rules";
import { mayMergeInto } from "./service";
import * as store from "./store";

/** The reason why a merge was aborted. */
export type AbortedMerge = "not_mergeable" | "conflict";

/**
 * Refreshes a merge request, and returns the refreshed merge request. The refresh releases a stale lock and
 * compares the branches. A new head is recorded as a new version, and invalid approvals are removed. If the
 * target branch contains the commits of the merge request, the merge request is marked as merged.
 * @param pusherId the id of the user who has just pushed; null if unknown.
 */
export const refreshMergeability = (
  deps: Deps,
  mergeRequest: MergeRequest,
  pusherId: number | null = null,
): Promise<MergeRequest> => runRefresh(deps, mergeRequest, "refresh", pusherId);

/**
 * Refreshes a merge request. After the refresh, the merge request is merged if auto-merge is enabled and
 * nothing blocks the merge.
 */
export const mergeWhenReady = (
  deps: Deps,
  mergeRequest: MergeRequest,
  pusherId: number | null = null,
): Promise<MergeRequest> => runRefresh(deps, mergeRequest, "conditions_change", pusherId);

/**
 * Runs each follow-up action (effect) of an event at most once. If an effect changes the phase of the merge
 * request, the effects of the event in the new phase run next.
 */
async function runRefresh(
  deps: Deps,
  mergeRequest: MergeRequest,
  event: "refresh" | "conditions_change",
  pusherId: number | null,
): Promise<MergeRequest> {
  const done = new Set<RefreshEffect>();
  let current = mergeRequest;
  for (;;) {
    const effects = transition(phaseOf(current), event)?.refresh ?? [];
    const effect = effects.find((candidate) => !done.has(candidate));
    if (effect === undefined) return current;
    done.add(effect);
    current = await REFRESH[effect](deps, current, pusherId);
  }
}

type Refresh = (deps: Deps, mergeRequest: MergeRequest, pusherId: number | null) => Promise<MergeRequest>;

const REFRESH: Readonly<Record<RefreshEffect, Refresh>> = {
  release_stale_lock: (deps, mergeRequest) => releaseStaleLock(deps, mergeRequest),
  check_mergeability: checkMergeability,
  refresh_checks: async (deps, mergeRequest) => {
    await refreshChecks(deps, mergeRequest);
    return mergeRequest;
  },
  merge_when_ready: mergeScheduled,
};

const reload = async (deps: Pick<Deps, "reads">, mergeRequest: MergeRequest): Promise<MergeRequest> =>
  (await store.findById(deps.reads, mergeRequest.id)) ?? mergeRequest;

/**
 * The age after which the lock of a merge is stale. Every merge ends earlier, because each of its Git
 * commands has a time limit.
 */
const LOCK_SECONDS = 300;

/**
 * Completes or aborts a merge whose lock remains from a server that was stopped. If the target branch
 * contains the planned commit, the merge is recorded; otherwise, the merge request becomes open again.
 */
export async function releaseStaleLock(deps: Deps, mergeRequest: MergeRequest): Promise<MergeRequest> {
  const { state, lock, project, targetBranch } = mergeRequest;
  if (state !== "locked" || lock === null) return mergeRequest;
  if (deps.clock().getTime() - lock.at.getTime() < LOCK_SECONDS * 1_000) return mergeRequest;
  const tip = mergeRequest.mergeCommitSha ?? mergeRequest.squashCommitSha ?? mergeRequest.headSha;
  if (await branchContains(deps, project, targetBranch, tip))
    return finishMerge(deps, mergeRequest, { since: lock.at, tip, mergeUserId: lock.byId });
  await lifecycleStore.abortMerge(deps.db, mergeRequest.id, lock.at);
  return reload(deps, mergeRequest);
}

async function checkMergeability(
  deps: Deps,
  mergeRequest: MergeRequest,
  pusherId: number | null,
): Promise<MergeRequest> {
  const inspection = await inspectBranches(deps, mergeRequest);
  if (inspection.kind === "unchanged") return mergeRequest;
  if (inspection.kind === "merged") await markMergedByPush(deps, mergeRequest, inspection, pusherId);
  else if (inspection.kind === "checked")
    await lifecycleStore.setChecked(deps.db, mergeRequest, inspection.checked);
  else await recordVersion(deps, mergeRequest, { ...inspection.version, ...inspection.checked }, pusherId);
  return reload(deps, mergeRequest);
}

async function markMergedByPush(
  deps: Deps,
  mergeRequest: MergeRequest,
  { target, mergeCommitSha }: Readonly<{ target: string; mergeCommitSha: string | null }>,
  pusherId: number | null,
): Promise<void> {
  // Only the refresh after a push has the id of the user who pushed. While such a refresh is running, every
  // other refresh waits, so that the merge is recorded with the id of the user who pushed.
  if (pusherId === null) await waitForPushes(mergeRequest.project.id);
  const merged = { mergeUserId: pusherId, mergedAt: deps.clock(), mergeCommitSha };
  await recordMerge(deps, mergeRequest, {
    event: "mark_merged_by_push",
    commit: target,
    mergeUserId: pusherId,
    write: (db) => lifecycleStore.markMergedByPush(db, mergeRequest, merged),
  });
}

async function recordVersion(
  deps: Deps,
  mergeRequest: MergeRequest,
  next: NextVersion,
  pusherId: number | null,
): Promise<void> {
  const recordHead = await prepareForHead(deps, { ...mergeRequest, ...next });
  await deps.transaction(async (within) => {
    const now = within.clock();
    if (!(await lifecycleStore.setVersion(within.db, mergeRequest, next, now))) return;
    if (next.headSha === mergeRequest.headSha) return;
    await recordHead(within, pusherId);
    await lifecycleStore.cancelScheduledMerge(within.db, mergeRequest.id, now, HEAD_CHANGED, next.headSha);
    await announceChange(within, {
      id: mergeRequest.id,
      action: "update",
      userId: pusherId,
      before: mergeRequest,
    });
  });
}

const HEAD_CHANGED = "The source branch has changed.";

/**
 * Merges a merge request with auto-merge if nothing blocks the merge and the user who enabled auto-merge may still
 * merge.
 */
async function mergeScheduled(deps: Deps, mergeRequest: MergeRequest): Promise<MergeRequest> {
  const { mergeUser, autoMerge, headSha } = mergeRequest;
  if (mergeUser === null) return mergeRequest;
  if (autoMerge !== null && autoMerge.sha !== null && autoMerge.sha !== headSha) {
    await lifecycleStore.cancelScheduledMerge(deps.db, mergeRequest.id, deps.clock(), HEAD_CHANGED, headSha);
    return reload(deps, mergeRequest);
  }
  if (statusOf(mergeRequest, await blocksOf(deps, mergeRequest)) !== "mergeable") return mergeRequest;
  const user = await findUser(deps, mergeUser.id);
  const project = user && (await findProject(deps, String(mergeRequest.project.id), user));
  const isAllowed =
    user?.state === "active" && project && (await mayMergeInto(deps, project, mergeRequest.targetBranch));
  if (!isAllowed) {
    const reason = "The user who enabled auto-merge can no longer merge this merge request.";
    await lifecycleStore.cancelScheduledMerge(deps.db, mergeRequest.id, deps.clock(), reason);
  } else await performMerge(deps, mergeRequest, user);
  return reload(deps, mergeRequest);
}

/**
 * The maximum number of attempts to merge. Another attempt is necessary if a push updates the target branch
 * while the merge is planned.
 */
const ATTEMPTS_MAX = 3;

/**
 * Locks a merge request, merges it, and releases the lock. Only one of several simultaneous callers obtains
 * the lock.
 */
export async function performMerge(
  deps: Deps,
  mergeRequest: MergeRequest,
  user: User,
): Promise<MergeRequest | AbortedMerge> {
  const { id, squash, removesSource, project, targetBranch } = mergeRequest;
  let since = deps.clock();
  const lock = { at: since, byId: user.id, squash, removesSource };
  if (!(await lifecycleStore.beginMerge(deps.db, mergeRequest, lock))) return "not_mergeable";
  const locked = { ...mergeRequest, state: "locked" as const };
  let refusal: AbortedMerge = "not_mergeable";
  let isMoved = false;
  try {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const planned = await planUnderLock(deps, locked, user);
      if (typeof planned === "string") {
        refusal = planned;
        break;
      }
      const { plan, target } = planned;
      const now = deps.clock();
      if (!(await lifecycleStore.recordPlan(deps.db, id, { since, now }, plan))) return "not_mergeable";
      since = now;
      isMoved = await moveBranch(deps, project, { branch: targetBranch, from: target, to: plan.tip });
      if (isMoved) {
        const mergeUserId = user.id;
        return await finishMerge(deps, locked, { since, tip: plan.tip, mergeUserId, before: target });
      }
    }
  } catch (cause) {
    // If the target branch is already updated, `releaseStaleLock` later completes the merge from the recorded
    // plan.
    if (!isMoved) await lifecycleStore.abortMerge(deps.db, id, since);
    throw cause;
  }
  await lifecycleStore.abortMerge(deps.db, id, since);
  return refusal;
}

/**
 * Plans the merge of a locked merge request, and creates the commits of the merge. The merge conditions are
 * checked again, because an approval may have been withdrawn before the lock was obtained.
 */
async function planUnderLock(
  deps: Deps,
  locked: MergeRequest,
  user: User,
): Promise<Readonly<{ plan: MergePlan; target: string }> | AbortedMerge> {
  const assessed = await assessBranches(deps, locked);
  const stored = await store.findById(deps.reads, locked.id);
  if (assessed === null || stored === null) return "not_mergeable";
  const { target, baseSha, mergeability, behind } = assessed;
  const status = detailedMergeStatus({
    ...{ state: "opened", mergeability, behind, draft: stored.draft },
    mergeMethod: stored.project.mergeMethod,
    blocks: await blocksOf(deps, stored),
  });
  if (status === "conflict") return "conflict";
  if (status !== "mergeable" || baseSha === null) return "not_mergeable";
  const merging = { ...locked, project: stored.project };
  const plan = await planMerge(deps, merging, { target, base: baseSha }, user);
  return plan === null ? "conflict" : { plan, target };
}

async function finishMerge(
  deps: Deps,
  locked: MergeRequest,
  {
    since,
    tip,
    mergeUserId,
    before,
  }: Readonly<{ since: Date; tip: string; mergeUserId: number | null; before?: string }>,
): Promise<MergeRequest> {
  await recordMerge(deps, locked, {
    event: "finish_merge",
    commit: tip,
    ...(before === undefined ? {} : { before }),
    mergeUserId,
    write: (db) => lifecycleStore.finishMerge(db, locked.id, since, { mergeUserId, mergedAt: deps.clock() }),
  });
  return reload(deps, locked);
}

type Merged = Readonly<{
  event: "finish_merge" | "mark_merged_by_push";
  /** The head of the target branch after the merge. */
  commit: string;
  /** The head of the target branch before the merge. */
  before?: string;
  mergeUserId: number | null;
  /**
   * Updates the row of the merge request.
   * @returns false if another request has already recorded the merge.
   */
  write: (db: Db) => Promise<boolean>;
}>;

/**
 * Records a merge, and runs the effects of the lifecycle event. The effects in `within` run in the
 * transaction that records the merge.
 */
async function recordMerge(deps: Deps, mergeRequest: MergeRequest, merged: Merged): Promise<void> {
  const step = transition(phaseOf(mergeRequest), merged.event);
  const isRecorded = await deps.transaction(async (within) => {
    // All transactions that lock the project and its merge requests lock the project first.
    await lockProject(within, mergeRequest.project.id);
    if (!(await merged.write(within.db))) return false;
    for (const effect of step?.within ?? []) await RECORD[effect](within, mergeRequest, merged);
    return true;
  });
  if (!isRecorded) return;
  for (const effect of step?.after ?? []) await CLEANUP[effect](deps, mergeRequest, merged);
}

type Recording = (within: Deps, mergeRequest: MergeRequest, merged: Merged) => Promise<void>;

const RECORD: Readonly<Record<RecordEffect, Recording>> = {
  record_audit_event: (
    within,
    { iid, project, sourceBranch, targetBranch },
    { commit, before, mergeUserId },
  ) =>
    audit.record(
      within,
      "merge_request.merged",
      {
        ...{ id: project.id, path: project.fullPath, iid, sourceBranch, targetBranch, commit },
        ...(before === undefined ? {} : { before }),
      },
      { userId: mergeUserId },
    ),
  recheck_target: ({ db }, { project, targetBranch }) =>
    lifecycleStore.uncheckInto(db, project.id, targetBranch),
};

type Cleanup = (deps: Deps, mergeRequest: MergeRequest, merged: Merged) => Promise<void>;

const CLEANUP: Readonly<Record<CleanupEffect, Cleanup>> = {
  note_activity: async (deps, { project }) => recordActivity(deps, project),
  /** Deletes the source branch, unless it is the default branch or a protected branch. */
  remove_source_branch: async (
    deps,
    { removesSource, project, sourceBranch: branch, headSha: at },
    { mergeUserId },
  ) => {
    if (!removesSource) return;
    const { isProtected } = await branchRights(deps, { id: project.id, role: null }, branch);
    if (isProtected || defaultBranch(deps, project) === branch) return;
    const user = mergeUserId === null ? null : { id: mergeUserId };
    await changeAsPush(
      deps,
      { project, user },
      { branch, before: at, after: null },
      { run: () => dropBranch(deps, project, { branch, at }), isChanged: (isDeleted) => isDeleted },
    );
  },
};

export type PerformedRebase = MergeRequest | RebaseRefusal | "moved";

const REBASE_FAILED = "Rebase failed: Rebase locally, resolve all conflicts, then push the branch.";
const TOO_LONG = "Rebase failed: There are too many commits. Rebase locally, then push the branch.";

/**
 * Rebases the source branch onto the target branch.
 * @returns `moved` if a push changed the source branch during the rebase.
 */
export async function performRebase(
  deps: Deps,
  mergeRequest: MergeRequest,
  { target, by }: Readonly<{ target: string; by: User }>,
): Promise<PerformedRebase> {
  const { id, project, sourceBranch, headSha } = mergeRequest;
  const done = await rebase(deps, project, { source: headSha, target, by });
  if (typeof done === "string") {
    await lifecycleStore.setMergeError(deps.db, id, done === "conflict" ? REBASE_FAILED : TOO_LONG);
    return done;
  }
  const move = { branch: sourceBranch, from: headSha, to: done.tip };
  const isMoved = await changeAsPush(
    deps,
    { project, user: by },
    { branch: sourceBranch, before: headSha, after: done.tip },
    { run: () => moveBranch(deps, project, move), isChanged: (hasMoved) => hasMoved },
  );
  return isMoved ? mergeWhenReady(deps, mergeRequest, by.id) : "moved";
}
