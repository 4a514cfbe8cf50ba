import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { recordActivity } from "@/workspace/projects/service";
import { gitIn } from "../repositories/revision";
import { beginPush } from "./in-flight";
import type { RecordedPusher } from "./push-listener";
import * as store from "./store";
import type { OwnPush } from "./store.sql";
import * as sql from "./store.sql";

/**
 * A reference that a push has changed. The object id `before` of a new reference and the object id `after` of
 * a deleted reference consist of zeros.
 */
export type PushedReference = Readonly<{ ref: string; before: string; after: string }>;

/**
 * The maximum number of references that an audit event names. The audit event contains only the number of the
 * remaining references.
 */
const AUDITED_REFERENCES_MAX = 20;

const isDeletion = (id: string): boolean => /^0+$/.test(id);

const branchOf = (ref: string): string | null => /^refs\/heads\/(.+)$/.exec(ref)?.[1] ?? null;

/**
 * Records a push: stores the user who pushed with the new head of each branch, writes an audit event, updates
 * the time of the last activity of the project, and notifies the push listeners. A change of references by
 * the server on behalf of a user is recorded in the same way. Call this function while the push counts as in
 * flight.
 * @param isCertain false if Git has accepted the references but may not have changed them. If `isCertain` is
 * false, a branch that the push deletes may still exist, so the recorded pushes to this branch are kept.
 */
export async function recordPush(
  deps: Deps,
  pusher: RecordedPusher,
  references: readonly PushedReference[],
  isCertain = true,
): Promise<void> {
  if (references.length === 0) return;
  const { project, user } = pusher;
  const pushed: store.PushedBranch[] = [];
  const deleted: string[] = [];
  for (const { ref, after } of references) {
    const branch = branchOf(ref);
    if (branch === null) continue;
    if (!isDeletion(after)) pushed.push({ branch, headSha: after });
    else if (isCertain) deleted.push(branch);
  }
  const pushedAt = deps.clock();
  await deps.transaction(async (within) => {
    await store.releaseBranches(within.db, project.id, deleted);
    if (user !== null)
      await store.insertPushes(within.db, { projectId: project.id, userId: user.id, pushedAt }, pushed);
    await audit.record(
      within,
      "repository.pushed",
      {
        id: project.id,
        path: project.fullPath,
        references: references.slice(0, AUDITED_REFERENCES_MAX),
        more: Math.max(0, references.length - AUDITED_REFERENCES_MAX),
      },
      { userId: user?.id ?? null },
    );
  });
  recordActivity(deps, project);
  const branches = references.flatMap(({ ref }) => branchOf(ref) ?? []);
  for (const { recorded } of deps.hooks.pushes) await recorded(deps, pusher, branches);
}

/** A change of a branch. `before` is null for a new branch, and `after` is null for a deleted branch. */
export type BranchChange = Readonly<{ branch: string; before: string | null; after: string | null }>;

/** Returns a changed branch in the form in which pushes are recorded. */
export const referenceOf = ({ branch, before, after }: BranchChange): PushedReference => ({
  ref: `refs/heads/${branch}`,
  before: before ?? zerosLike(after),
  after: after ?? zerosLike(before),
});

/** Returns the object id that stands for no object; it is as long as the ids of the repository. */
const zerosLike = (id: string | null): string => "0".repeat(id?.length ?? 40);

/**
 * Changes a branch on behalf of a user, and records the change like a push by this user. Until the change is
 * recorded, the user has a push in flight. If the change cannot be recorded, the push counts as in flight
 * until the server restarts.
 * @param run changes the branch, and returns a value for which `isChanged` states whether the branch was
 * changed. If `run` throws an error, Git may have changed the branch, so the change is also recorded.
 */
export async function changeAsPush<Result>(
  deps: Deps,
  pusher: RecordedPusher,
  change: BranchChange,
  { run, isChanged }: Readonly<{ run: () => Promise<Result>; isChanged: (result: Result) => boolean }>,
): Promise<Result> {
  const { project, user } = pusher;
  const endPush = user === null ? () => undefined : beginPush(project.id, user.id);
  const record = (isCertain: boolean) => recordPush(deps, pusher, [referenceOf(change)], isCertain);
  const result = await run().catch(async (cause: unknown) => {
    await record(false);
    endPush();
    throw cause;
  });
  if (isChanged(result)) await record(true);
  endPush();
  return result;
}

/** The maximum number of recorded heads that `pushersSince` considers for a branch. */
const HEADS_MAX = 1_000;
const NEW_COMMITS_MAX = 10_000;

export type PushedRange = Readonly<{
  sourceBranch: string;
  /** The merge base of the source and the target branch; null if the branches have no common ancestor. */
  baseSha: string | null;
  /**
   * The ids of the source branch's commits since the merge base, and of earlier heads of the source branch.
   */
  shas: readonly string[];
}>;

/**
 * Returns the ids of the users who have pushed commits to a source branch, except commits that the merge base
 * contains. The result also includes users who pushed one of these commits to another branch, and users whose
 * pushed head was replaced by a later force push.
 */
export async function pushersSince(
  deps: Pick<Deps, "db" | "config">,
  project: Readonly<{ id: number }>,
  { sourceBranch, baseSha, shas }: PushedRange,
): Promise<ReadonlySet<number>> {
  const [pushers, toBranch] = await Promise.all([
    store.pushersOfHeads(deps.db, project.id, shas),
    store.pushesTo(deps.db, project.id, sourceBranch, HEADS_MAX),
  ]);
  const userIds = new Set(pushers);
  const others = toBranch.filter(({ userId }) => !userIds.has(userId));
  if (others.length === 0) return userIds;
  const heads = [...new Set(others.map(({ headSha }) => headSha))];
  const replaced = baseSha === null ? new Set(heads) : await headsNotIn(deps, project, heads, baseSha);
  for (const { headSha, userId } of others) if (replaced.has(headSha)) userIds.add(userId);
  return userIds;
}

/**
 * Returns the recorded heads that are neither the base commit nor an ancestor of the base commit. Heads whose
 * commits no longer exist are omitted.
 */
async function headsNotIn(
  deps: Pick<Deps, "config">,
  project: Readonly<{ id: number }>,
  heads: readonly string[],
  baseSha: string,
): Promise<ReadonlySet<string>> {
  const args = ["rev-list", "--stdin", "--ignore-missing", `--max-count=${NEW_COMMITS_MAX}`];
  const out = await gitIn(deps, project, args, { input: `${heads.join("\n")}\n^${baseSha}\n` });
  const commits = new Set(out.toString("utf8").split("\n"));
  return new Set(heads.filter((head) => commits.has(head)));
}

export type { OwnPush } from "./store.sql";

/**
 * Returns the branches that a user has pushed to a project after the time `since`, newest first. Deleted
 * branches are omitted.
 */
export const recentPushesBy = async (
  deps: Pick<Deps, "reads">,
  project: Readonly<{ id: number }>,
  user: Pick<User, "id">,
  since: Date,
): Promise<readonly OwnPush[]> =>
  sql.recentPushesBy(deps.reads, { userId: user.id, projectId: project.id, since });
