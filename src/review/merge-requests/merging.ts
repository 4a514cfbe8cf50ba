import type { User } from "@/access/principal";
import { reaches } from "@/access/roles";
import { branchRights } from "@/code/protected-branches/service";
import { recordDeletion } from "@/code/pushes/service";
import { defaultBranch } from "@/code/repositories/reference";
import { findById as findPerson } from "@/identity/users/service";
import type { Deps } from "@/kernel/deps/deps";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { findProject, noteActivity } from "@/workspace/projects/service";
import { assess, contains, dropBranch, headsOf, moveBranch, newCommits } from "./branches";
import { blocksOf } from "./merge-check";
import { planMerge } from "./merge-commit";
import * as progress from "./merge-progress";
import { lookingAt } from "./pushes";
import { type RebaseRefusal, rebase } from "./rebase";
import {
  detailedMergeStatus,
  isWorthWaiting,
  LEAST_TO_MERGE,
  type MergeRequest,
  mayChange,
  statusOf,
} from "./rules";
import { look, recordMerge, type Who } from "./service";
import * as store from "./store";

/** How somebody wants it merged; what they do not say is as it was said before. */
export type MergeAsk = Readonly<{
  /** The head that they have seen. */
  sha?: string | undefined;
  squash?: boolean | undefined;
  removesSource?: boolean | undefined;
  mergeMessage?: string | undefined;
  squashMessage?: string | undefined;
  /** Where it cannot be merged yet, it is as soon as it can be. */
  whenReady?: boolean | undefined;
}>;

/** `head`: it is at another one than the caller has seen. */
export type MergeRefusal = "not_allowed" | "not_mergeable" | "conflict" | Readonly<{ head: string }>;

/**
 * Merges a merge request, or sees to it that it is merged later. Of any number of callers, one merges.
 * @returns the merge request as it is then, or why nothing was done.
 */
export async function merge(
  deps: Deps,
  { project, user }: Who,
  found: MergeRequest,
  ask: MergeAsk,
): Promise<MergeRequest | MergeRefusal> {
  if (!reaches(project.role, LEAST_TO_MERGE)) return "not_allowed";
  const one = await look(deps, await healed(deps, found));
  if (!(await mayMergeInto(deps, project, one.targetBranch))) return "not_allowed";
  if (ask.sha !== undefined && ask.sha !== one.headSha) return { head: one.headSha };
  const status = statusOf(one, await blocksOf(deps, one));
  const squash = ask.squash ?? one.squash;
  const removesSource = ask.removesSource ?? one.removesSource;
  if (status === "mergeable") {
    const [mergeMessage, squashMessage] = [ask.mergeMessage ?? null, ask.squashMessage ?? null];
    return perform(deps, { ...one, squash, removesSource, mergeMessage, squashMessage }, user);
  }
  if (ask.whenReady === true && isWorthWaiting(status)) {
    const said = { mergeMessage: ask.mergeMessage ?? null, squashMessage: ask.squashMessage ?? null };
    const terms = { at: deps.clock(), sha: ask.sha ?? null, userId: user.id, squash, removesSource };
    if (!(await progress.setAutoMerge(deps.db, one.id, { ...terms, ...said }))) return "not_mergeable";
    return (await store.findById(deps.db, one.id)) ?? "not_mergeable";
  }
  return status === "conflict" ? "conflict" : "not_mergeable";
}

/** Whether somebody may merge into a branch of a project, as the protection of that branch allows. */
export const mayMergeInto = async (
  deps: Pick<Deps, "db" | "config">,
  project: Pick<AuthorizedProject, "id" | "role">,
  targetBranch: string,
): Promise<boolean> =>
  reaches(project.role, LEAST_TO_MERGE) && (await branchRights(deps, project, targetBranch)).mayMerge;

/** A push to the target may come between looking and merging. */
const ATTEMPTS = 3;

/** Takes the lock, merges, and gives it back where nothing came of it. */
async function perform(deps: Deps, one: MergeRequest, user: User): Promise<MergeRequest | MergeRefusal> {
  const { squash, removesSource } = one;
  let since = deps.clock();
  if (!(await progress.lock(deps.db, one, { at: since, byId: user.id, squash, removesSource })))
    return "not_mergeable";
  let refusal: MergeRefusal = "not_mergeable";
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const target = (await headsOf(deps, one.project, [one.targetBranch])).get(one.targetBranch);
      const plan = target === undefined ? "not_mergeable" : await planFor(deps, one, target, user);
      if (target === undefined || typeof plan === "string") {
        refusal = plan === "conflict" ? plan : "not_mergeable";
        break;
      }
      const now = deps.clock();
      if (!(await progress.plan(deps.db, one.id, { since, now }, plan))) return "not_mergeable";
      since = now;
      const move = { branch: one.targetBranch, from: target, to: plan.tip };
      if (await moveBranch(deps, one.project, move))
        return await finish(deps, one, { since, tip: plan.tip, mergeUserId: user.id });
    }
  } catch (cause) {
    await progress.unlock(deps.db, one.id, since, null);
    throw cause;
  }
  await progress.unlock(deps.db, one.id, since, null);
  return refusal;
}

/** Everything is judged once more behind the lock: an approval may be gone by now. */
async function planFor(deps: Deps, one: MergeRequest, target: string, user: User) {
  const now = await store.findById(deps.db, one.id);
  if (now === null) return "not_mergeable";
  const { baseSha, ...said } = await assess(deps, one.project, { source: one.headSha, target });
  const status = detailedMergeStatus({
    ...said,
    state: "opened",
    draft: now.draft,
    mergeMethod: now.project.mergeMethod,
    blocks: await blocksOf(deps, now),
  });
  if (status === "conflict") return "conflict";
  if (status !== "mergeable" || baseSha === null) return "not_mergeable";
  const as = { ...one, project: now.project };
  return (await planMerge(deps, as, { target, base: baseSha }, user)) ?? "conflict";
}

/** The target has it: writes that down, and tidies up. */
async function finish(
  deps: Deps,
  one: MergeRequest,
  { since, tip, mergeUserId }: Readonly<{ since: Date; tip: string; mergeUserId: number | null }>,
): Promise<MergeRequest> {
  const { project, targetBranch, sourceBranch, headSha } = one;
  await deps.transaction(async (within) => {
    const isMerged = await progress.setMerged(within.db, one.id, since, {
      mergeUserId,
      mergedAt: within.clock(),
    });
    if (isMerged) await recordMerge(within, one, tip, mergeUserId);
    await store.uncheckInto(within.db, project.id, targetBranch);
  });
  noteActivity(deps, project);
  if (one.removesSource && (await isRemovable(deps, project, sourceBranch)))
    await removeSource(deps, project, { branch: sourceBranch, at: headSha });
  return (await store.findById(deps.db, one.id)) ?? one;
}

async function removeSource(
  deps: Deps,
  project: Readonly<{ id: number }>,
  source: Parameters<typeof dropBranch>[2],
): Promise<void> {
  if (await dropBranch(deps, project, source)) await recordDeletion(deps, project, source.branch);
}

/** Merging removes neither the default branch nor a protected one. */
async function isRemovable(deps: Deps, { id }: Readonly<{ id: number }>, branch: string): Promise<boolean> {
  const { isProtected } = await branchRights(deps, { id, role: null }, branch);
  return !isProtected && (await defaultBranch(deps, { id })) !== branch;
}

/** No merge holds its lock for longer: each call of Git is ended before. */
const LOCK_SECONDS = 300;

/**
 * Looks after a merge request that has been locked for too long, as it is when a server was ended meanwhile: if the
 * target has what was about to be put there, it has been merged, and else it is open again.
 */
export async function healed(deps: Deps, one: MergeRequest): Promise<MergeRequest> {
  const { lock, project } = one;
  if (one.state !== "locked" || lock === null) return one;
  if (deps.clock().getTime() - lock.at.getTime() < LOCK_SECONDS * 1_000) return one;
  const target = (await headsOf(deps, project, [one.targetBranch])).get(one.targetBranch);
  const tip = one.mergeCommitSha ?? one.squashCommitSha ?? one.headSha;
  if (target !== undefined && (await contains(deps, project, target, tip)))
    return finish(deps, one, { since: lock.at, tip, mergeUserId: lock.byId });
  await progress.unlock(deps.db, one.id, lock.at, null);
  return (await store.findById(deps.db, one.id)) ?? one;
}

/** A merge request as it is now: healed, and with what Git says of its branches. */
export const current = async (
  deps: Deps,
  one: MergeRequest,
  pusherId: number | null = null,
): Promise<MergeRequest> => look(deps, await healed(deps, one), pusherId);

/** The same once something has changed that it may have waited for: it may be merged by then. */
export const settled = async (
  deps: Deps,
  one: MergeRequest,
  pusherId: number | null = null,
): Promise<MergeRequest> => mergeIfReady(deps, await current(deps, one, pusherId));

/** @returns why not, or the merge request that is not merged by itself any more. */
export async function cancelAutoMerge(
  deps: Deps,
  { project, user }: Who,
  one: MergeRequest,
): Promise<MergeRequest | "not_allowed" | "not_set"> {
  if (!mayChange(one, project.role, user)) return "not_allowed";
  if (!(await progress.clearAutoMerge(deps.db, one.id, deps.clock(), null))) return "not_set";
  return (await store.findById(deps.db, one.id)) ?? one;
}

/** Merges what was to be merged as soon as it can be, if it can be now. Whoever wanted it must still be allowed to. */
async function mergeIfReady(deps: Deps, one: MergeRequest): Promise<MergeRequest> {
  if (one.autoMerge === null || one.mergeUser === null) return one;
  if (statusOf(one, await blocksOf(deps, one)) !== "mergeable") return one;
  const user = await findPerson(deps, one.mergeUser.id);
  const project = user && (await findProject(deps, String(one.project.id), user));
  const allowed =
    user?.state === "active" && project && (await mayMergeInto(deps, project, one.targetBranch));
  if (!allowed) {
    const reason = "The user who set this merge request to merge automatically may not merge it any more.";
    await progress.clearAutoMerge(deps.db, one.id, deps.clock(), reason);
  } else await perform(deps, one, user);
  return (await store.findById(deps.db, one.id)) ?? one;
}

/** More are looked at when somebody reads them. */
const MOVED_MAX = 500;
const LOOKED_AT_MAX = 50;
const TARGETS_MAX = 4;

/**
 * Sees to the open merge requests of a project whose branches have moved, as after a push: new versions are recorded,
 * what waited for that is merged, and what was pushed to its target has been.
 * @param pusherId who has pushed.
 */
export async function branchesMoved(
  deps: Deps,
  project: Readonly<{ id: number }>,
  pusherId: number,
): Promise<void> {
  const open = await store.openOnes(deps.db, project.id, MOVED_MAX);
  if (open.length === 0) return;
  const heads = await headsOf(deps, project, null);
  const moved = open.filter(
    (one) =>
      (heads.get(one.sourceBranch) ?? null) !== one.headSha ||
      (heads.get(one.targetBranch) ?? null) !== one.checkedSha,
  );
  const ids = moved.map(({ id }) => id);
  if (ids.length > 0) await deps.transaction((within) => store.uncheck(within.db, project.id, ids));
  const arrived = await arrivedOf(deps, project, moved, heads);
  // What only its target has moved of is looked at when somebody reads it, unless it waits for something.
  const pressing = moved.filter(
    (one) => heads.get(one.sourceBranch) !== one.headSha || one.waits || arrived.has(one.headSha),
  );
  for (const { id } of pressing.slice(0, LOOKED_AT_MAX)) {
    const one = await store.findById(deps.db, id);
    if (one !== null) await settled(deps, one, pusherId);
  }
}

/** What of these has come into the branch that it goes to. One call of Git for each such branch, and few of them. */
async function arrivedOf(
  deps: Deps,
  project: Readonly<{ id: number }>,
  moved: readonly store.Seen[],
  heads: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const moves = new Map<string, Readonly<{ from: string; to: string }>>();
  for (const { targetBranch, checkedSha: from } of moved) {
    const to = heads.get(targetBranch);
    if (from !== null && to !== undefined && from !== to) moves.set(targetBranch, { from, to });
  }
  const found = await Promise.all(
    [...moves.values()].slice(0, TARGETS_MAX).map((move) => newCommits(deps, project, move)),
  );
  return new Set(found.flatMap((commits) => [...commits]));
}

/** The same for who does not wait for it: what is missed here is seen when somebody reads the merge request. */
export const noteMove = (deps: Deps, project: Readonly<{ id: number }>, pusherId: number): void =>
  lookingAt(
    project.id,
    branchesMoved(deps, project, pusherId).catch((cause: unknown) => {
      deps.log.warn({ event: "merge_request.not_looked_at", project_id: project.id }, cause);
    }),
  );

export type RebaseOutcome = MergeRequest | "not_allowed" | "not_open" | RebaseRefusal | "moved";

const REBASE_FAILED = "Rebase failed: Rebase locally, resolve all conflicts, then push the branch.";
const TOO_LONG = "Rebase failed: There are too many commits. Rebase locally, then push the branch.";

/** Puts the commits of the source branch on top of the target branch. Who may not force-push there may not do this. */
export async function rebaseMergeRequest(
  deps: Deps,
  { project, user }: Who,
  found: MergeRequest,
): Promise<RebaseOutcome> {
  if (!(await mayRewrite(deps, project, found.sourceBranch))) return "not_allowed";
  const one = await current(deps, found);
  if (one.state !== "opened" || one.checkedSha === null || one.mergeability === "missing") return "not_open";
  if (!one.behind) return one;
  const ends = { source: one.headSha, target: one.checkedSha };
  const done = await rebase(deps, one.project, { ...ends, by: user });
  if (typeof done === "string") {
    await progress.setMergeError(deps.db, one.id, done === "conflict" ? REBASE_FAILED : TOO_LONG);
    return done;
  }
  const move = { branch: one.sourceBranch, from: one.headSha, to: done.tip };
  if (!(await moveBranch(deps, one.project, move))) return "moved";
  noteActivity(deps, project);
  return settled(deps, one);
}

async function mayRewrite(deps: Deps, project: AuthorizedProject, branch: string): Promise<boolean> {
  return reaches(project.role, LEAST_TO_MERGE) && (await branchRights(deps, project, branch)).mayForcePush;
}
