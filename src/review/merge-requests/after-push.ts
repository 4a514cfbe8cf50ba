import type { MovedBranch, Pusher } from "@/code/pushes/push-listener";
import { branchHeads } from "@/code/repositories/reference";
import type { Deps } from "@/kernel/deps/deps";
import { newCommits } from "./branches";
import * as lifecycleStore from "./lifecycle-store";
import { mergeWhenReady } from "./merge-worker";
import { trackPush, waitForPushes } from "./pending-pushes";
import { concernMergeRequests, followPushOptions } from "./push-options";
import { mergeRequestLinks } from "./pushed-branch";
import * as store from "./store";

/**
 * Refreshes the merge requests of a project after a push, and applies the push options.
 * @returns the messages that the Git client prints.
 */
export async function followPush(
  deps: Deps,
  pusher: Pusher,
  { branches, options }: Readonly<{ branches: readonly MovedBranch[]; options: readonly string[] }>,
): Promise<readonly string[]> {
  const { id } = pusher.project;
  // If this refresh fails, each merge request is refreshed when it is read the next time.
  const refresh = refreshAfterPush(deps, pusher.project, pusher.user.id).catch((cause: unknown) => {
    deps.log.warn({ event: "merge_request.not_looked_at", project_id: id }, cause);
  });
  trackPush(id, refresh);
  const links = concernMergeRequests(options) ? [] : await linksOrNone(deps, pusher, branches);
  if (options.length === 0) return links;
  try {
    // The refresh records new versions of merge requests, and the user who pushed these versions. The push
    // options are therefore applied after the refresh.
    await waitForPushes(id);
    return [...(await followPushOptions(deps, pusher, branches, options)), ...links];
  } catch (cause) {
    deps.log.error({ event: "git.push_options_failed", project_id: id }, cause);
    return ["The push options could not be applied because of an error on the server."];
  }
}

/**
 * Returns the messages with links to merge requests. An error in this function is only logged: the push still
 * succeeds, and only the links are missing.
 */
async function linksOrNone(
  deps: Deps,
  pusher: Pusher,
  branches: readonly MovedBranch[],
): Promise<readonly string[]> {
  try {
    return await mergeRequestLinks(deps, pusher, branches);
  } catch (cause) {
    deps.log.warn({ event: "git.links_not_printed", project_id: pusher.project.id }, cause);
    return [];
  }
}

/**
 * The maximum numbers of merge requests and target branches that the server processes immediately after a
 * push. Merge requests beyond these limits are refreshed when they are read the next time.
 */
const MOVED_MAX = 500;
const REFRESHED_MAX = 50;
const TARGETS_MAX = 4;

/**
 * Refreshes those open merge requests of a project whose source or target branch has a new head. New versions
 * of merge requests are recorded. A merge request with auto-merge is merged if nothing blocks the merge any
 * longer. Merge requests whose commits were pushed to the target branch are marked as merged.
 */
export async function refreshAfterPush(
  deps: Deps,
  project: Readonly<{ id: number }>,
  pusherId: number,
): Promise<void> {
  const open = await store.listOpen(deps.db, project.id, MOVED_MAX);
  if (open.length === 0) return;
  const heads = await branchHeads(deps, project);
  const moved = open.filter(
    ({ sourceBranch, targetBranch, headSha, checkedSha }) =>
      (heads.get(sourceBranch) ?? null) !== headSha || (heads.get(targetBranch) ?? null) !== checkedSha,
  );
  const ids = moved.map(({ id }) => id);
  if (ids.length > 0) await deps.transaction((within) => lifecycleStore.uncheck(within.db, project.id, ids));
  const pushed = await pushedToTargets(deps, project, moved, heads);
  // A merge request is not refreshed now if only its target branch has a new head and auto-merge is off. Such
  // a merge request is refreshed when it is read the next time.
  const urgent = moved.filter(
    ({ sourceBranch, headSha, isWaiting }) =>
      heads.get(sourceBranch) !== headSha || isWaiting || pushed.has(headSha),
  );
  for (const { id } of urgent.slice(0, REFRESHED_MAX)) {
    const mergeRequest = await store.findById(deps.reads, id);
    if (mergeRequest !== null) await mergeWhenReady(deps, mergeRequest, pusherId);
  }
}

/**
 * Returns the ids of the commits that the push has added to target branches. The function runs one Git
 * command for each target branch, for at most `TARGETS_MAX` branches.
 */
async function pushedToTargets(
  deps: Deps,
  project: Readonly<{ id: number }>,
  moved: readonly store.OpenMergeRequest[],
  heads: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const moves = new Map<string, Readonly<{ from: string; to: string }>>();
  for (const { targetBranch, checkedSha: from } of moved) {
    const to = heads.get(targetBranch);
    if (from !== null && to !== undefined && from !== to) moves.set(targetBranch, { from, to });
  }
  const pushed = await Promise.all(
    [...moves.values()].slice(0, TARGETS_MAX).map((move) => newCommits(deps, project, move)),
  );
  return new Set(pushed.flatMap((commits) => [...commits]));
}
