import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { gitIn } from "../repositories/revision";
import * as store from "./store";

/**
 * A reference that a push has changed. The object id `before` of a new reference and the object id `after` of
 * a deleted reference consist of zeros.
 */
export type PushedReference = Readonly<{ ref: string; before: string; after: string }>;

type PushedProject = Readonly<{ id: number; fullPath: string }>;

/**
 * The maximum number of references that an audit event names. The audit event contains only the number of the
 * remaining references.
 */
const AUDITED_REFERENCES_MAX = 20;

const isDeletion = (id: string): boolean => /^0+$/.test(id);

const branchOf = (ref: string): string | null => /^refs\/heads\/(.+)$/.exec(ref)?.[1] ?? null;

/** Returns the names of those references that are branches. */
export const branchNamesIn = (references: readonly PushedReference[]): readonly string[] =>
  references.flatMap(({ ref }) => branchOf(ref) ?? []);

/**
 * Records a push: stores the user who pushed with the new head of each branch, and writes an audit event.
 * @param isCertain false if Git has accepted the references but may not have changed them. If `isCertain` is
 * false, a branch that the push deletes may still exist, so the recorded pushes to this branch are kept.
 */
export async function recordPush(
  deps: Deps,
  project: PushedProject,
  user: Pick<User, "id">,
  references: readonly PushedReference[],
  isCertain = true,
): Promise<void> {
  if (references.length === 0) return;
  const pushed: store.PushedBranch[] = [];
  const deleted: string[] = [];
  for (const { ref, after } of references) {
    const branch = branchOf(ref);
    if (branch === null) continue;
    if (!isDeletion(after)) pushed.push({ branch, headSha: after });
    else if (isCertain) deleted.push(branch);
  }
  const push = { projectId: project.id, userId: user.id, pushedAt: deps.clock() };
  await deps.transaction(async (within) => {
    await store.releaseBranches(within.db, project.id, deleted);
    await store.insertPushes(within.db, push, pushed);
    await audit.record(
      within,
      "repository.pushed",
      {
        id: project.id,
        path: project.fullPath,
        references: references.slice(0, AUDITED_REFERENCES_MAX),
        more: Math.max(0, references.length - AUDITED_REFERENCES_MAX),
      },
      { userId: user.id },
    );
  });
}

/** Records that a merge has deleted the source branch of a merge request. */
export const recordDeletion = (
  deps: Pick<Deps, "db">,
  project: Readonly<{ id: number }>,
  branch: string,
): Promise<void> => store.releaseBranches(deps.db, project.id, [branch]);

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

/** A branch, and the head that a user has pushed to this branch. */
export type OwnPush = Readonly<{ branch: string; headSha: string; pushedAt: Date }>;

/** The maximum number of pushes that `recentPushesBy` reads: the newest pushes of a user to all projects. */
const OWN_PUSHES_MAX = 20;

/**
 * Returns the branches that a user has pushed to a project after the time `since`, newest first. Deleted
 * branches are omitted.
 */
export async function recentPushesBy(
  deps: Pick<Deps, "db">,
  project: Readonly<{ id: number }>,
  user: Pick<User, "id">,
  since: Date,
): Promise<readonly OwnPush[]> {
  const rows = await store.newestPushesBy(deps.db, user.id, OWN_PUSHES_MAX);
  return rows.flatMap(({ projectId, branch, headSha, pushedAt }) =>
    projectId === project.id && branch !== null && pushedAt >= since ? [{ branch, headSha, pushedAt }] : [],
  );
}
