import { GitFailed, GitLimit } from "@/code/git/program";
import { EMPTY_TREE, mergeBase } from "@/code/repositories/diff";
import { branchHead } from "@/code/repositories/reference";
import { type CodeOf, gitIn, writeIn } from "@/code/repositories/revision";
import { afterProbe } from "@/code/repositories/service";
import type { Deps } from "@/kernel/deps/deps";
import {
  CHANGES_COUNTED_MAX,
  type CheckedBranches,
  type Mergeability,
  type MergeRequest,
  type Version,
} from "./rules";

type Needs = Pick<Deps, "config">;

/** The head commits of branches, with the branch name as key. A branch that does not exist has no entry. */
export type Heads = ReadonlyMap<string, string>;

/** Returns the head commits of branches. */
export function headsOf(deps: Needs, project: CodeOf, names: readonly string[]): Heads {
  return new Map(
    names.flatMap((name) => {
      const head = branchHead(deps, project, name);
      return head === null ? [] : [[name, head]];
    }),
  );
}

/**
 * The result of a test merge. `behind` is true if the target branch has commits that the source branch does
 * not have.
 */
export type Assessment = Readonly<{
  mergeability: Exclude<Mergeability, "missing">;
  behind: boolean;
  baseSha: string | null;
}>;

/**
 * Tests whether the commit `source` can be merged into the commit `target`. The mergeability is `unchecked`
 * if Git exceeds a limit.
 */
export async function assess(
  deps: Needs,
  project: CodeOf,
  { source, target }: Readonly<{ source: string; target: string }>,
): Promise<Assessment> {
  const baseSha = await mergeBase(deps, project, target, source);
  const behind = baseSha !== target;
  if (baseSha === source) return { mergeability: "empty", behind, baseSha };
  // If the branches have no common ancestor, the mergeability is the same as for a conflict.
  if (baseSha === null) return { mergeability: "conflict", behind, baseSha };
  if (!behind) return { mergeability: "clean", behind, baseSha };
  try {
    const tree = await mergedTree(deps, project, { ours: target, theirs: source });
    return { mergeability: tree === null ? "conflict" : "clean", behind, baseSha };
  } catch (cause) {
    if (cause instanceof GitLimit) return { mergeability: "unchecked", behind, baseSha };
    throw cause;
  }
}

const CONFLICTS = 1;

/** Returns the id of the merged tree; null if the merge has conflicts. */
export async function mergedTree(
  deps: Needs,
  project: CodeOf,
  { ours, theirs }: Readonly<{ ours: string; theirs: string }>,
): Promise<string | null> {
  try {
    const out = await gitIn(deps, project, ["merge-tree", "--write-tree", "--no-messages", ours, theirs]);
    return out.toString("utf8").trim();
  } catch (cause) {
    if (cause instanceof GitFailed && cause.status === CONFLICTS) return null;
    return afterProbe(deps)(cause);
  }
}

/**
 * Returns the number of files that differ between two commits, at most `CHANGES_COUNTED_MAX` + 1.
 * @param from null for a comparison with the empty tree.
 */
async function countChanges(
  deps: Needs,
  project: CodeOf,
  { from, to }: Readonly<{ from: string | null; to: string }>,
): Promise<number> {
  try {
    const args = ["diff-tree", "-r", "-M", "--name-only", "-z", from ?? EMPTY_TREE, to];
    const out = await gitIn(deps, project, args);
    return Math.min(out.toString("latin1").split("\0").length - 1, CHANGES_COUNTED_MAX + 1);
  } catch (cause) {
    if (cause instanceof GitLimit) return CHANGES_COUNTED_MAX + 1;
    throw cause;
  }
}

/** Creates a hidden reference to a commit, so that Git keeps the commit even if the branch is deleted. */
export async function keepCommit(deps: Needs, project: CodeOf, hash: string): Promise<void> {
  await writeIn(deps, project, ["update-ref", `refs/gatehouse/kept/${hash}`, hash]);
}

/**
 * Protects the head commit of a merge request version from garbage collection by Git.
 * @returns the version with the number of changed files.
 */
export async function keepVersion(
  deps: Needs,
  project: CodeOf,
  version: Omit<Version, "changesCount">,
): Promise<Version> {
  const { headSha, baseSha } = version;
  await keepCommit(deps, project, headSha);
  return { ...version, changesCount: await countChanges(deps, project, { from: baseSha, to: headSha }) };
}

/**
 * The result of a comparison between the current branches of an open merge request and the stored row of the
 * merge request.
 */
export type Inspection =
  | Readonly<{ kind: "unchanged" }>
  /** The target branch contains the head of the source branch. */
  | Readonly<{ kind: "merged"; target: string; mergeCommitSha: string | null }>
  | Readonly<{ kind: "checked"; checked: CheckedBranches }>
  | Readonly<{ kind: "moved"; checked: CheckedBranches; version: Version }>;

/**
 * Compares the current branches of an open merge request with the stored row. The function runs a test merge
 * only if a branch has a new head.
 */
export async function inspectBranches(deps: Needs, mergeRequest: MergeRequest): Promise<Inspection> {
  const { project, sourceBranch, targetBranch, headSha, checkedSha, mergeability } = mergeRequest;
  const heads = headsOf(deps, project, [sourceBranch, targetBranch]);
  const [source, target] = [heads.get(sourceBranch), heads.get(targetBranch)];
  if (source === undefined || target === undefined) {
    if (mergeability === "missing") return { kind: "unchanged" };
    if (target !== undefined && (await isMerged(deps, mergeRequest, target)))
      return mergedInto(deps, mergeRequest, target);
    return {
      kind: "checked",
      checked: { mergeability: "missing", behind: false, checkedSha: target ?? null },
    };
  }
  const isAssessed = mergeability !== "unchecked" && mergeability !== "missing";
  if (isAssessed && source === headSha && target === checkedSha) return { kind: "unchanged" };
  const { baseSha, ...assessed } = await assess(deps, project, { source, target });
  if (assessed.mergeability === "empty" && (await isMerged(deps, mergeRequest, target)))
    return mergedInto(deps, mergeRequest, target);
  const checked = { ...assessed, checkedSha: target };
  // `checkedSha` is null if another branch was selected as the target branch, so that a new version with a
  // new merge base is needed.
  if (source === headSha && checkedSha !== null) return { kind: "checked", checked };
  const version = await keepVersion(deps, project, { headSha: source, baseSha, startSha: target });
  return { kind: "moved", checked, version };
}

/**
 * Returns whether the target branch contains the head of the merge request now, but did not contain the head
 * at the last comparison.
 */
const isMerged = async (
  deps: Needs,
  { project, checkedSha, baseSha, headSha }: MergeRequest,
  target: string,
): Promise<boolean> =>
  checkedSha !== null && baseSha !== headSha && (await contains(deps, project, target, headSha));

const mergedInto = async (
  deps: Needs,
  { project, headSha }: MergeRequest,
  target: string,
): Promise<Inspection> => ({
  kind: "merged",
  target,
  mergeCommitSha: await mergeCommitOf(deps, project, target, headSha),
});

/**
 * Compares the stored head of a merge request with the target branch.
 * @returns null if the target branch does not exist.
 */
export async function assessBranches(
  deps: Needs,
  { project, targetBranch, headSha }: MergeRequest,
): Promise<(Assessment & Readonly<{ target: string }>) | null> {
  const target = headsOf(deps, project, [targetBranch]).get(targetBranch);
  if (target === undefined) return null;
  return { target, ...(await assess(deps, project, { source: headSha, target })) };
}

/**
 * Updates the head of a branch from the commit `from` to the commit `to`.
 * @returns false if the branch no longer points to `from`.
 */
export async function moveBranch(
  deps: Needs,
  project: CodeOf,
  { branch, from, to }: Readonly<{ branch: string; from: string; to: string }>,
): Promise<boolean> {
  try {
    await writeIn(deps, project, ["update-ref", `refs/heads/${branch}`, to, from]);
    return true;
  } catch (cause) {
    if (!(cause instanceof GitFailed) || cause.status === null) throw cause;
    return false;
  }
}

/** Deletes a branch. @returns false if the branch no longer points to `at`. */
export async function dropBranch(
  deps: Needs,
  project: CodeOf,
  { branch, at }: Readonly<{ branch: string; at: string }>,
): Promise<boolean> {
  try {
    await writeIn(deps, project, ["update-ref", "-d", `refs/heads/${branch}`, at]);
    return true;
  } catch (cause) {
    if (!(cause instanceof GitFailed) || cause.status === null) throw cause;
    return false;
  }
}

/** The maximum number of commits of a push that the server compares with the heads of merge requests. */
const NEW_COMMITS_MAX = 10_000;

/** Returns the commits that are reachable from `to` but not from `from`. */
export async function newCommits(
  deps: Needs,
  project: CodeOf,
  { from, to }: Readonly<{ from: string; to: string }>,
): Promise<ReadonlySet<string>> {
  const args = ["rev-list", "--ignore-missing", `--max-count=${NEW_COMMITS_MAX}`, `^${from}`, to, "--"];
  return new Set((await gitIn(deps, project, args)).toString("utf8").split("\n"));
}

/** Returns the merge commit that added a commit to the branch with the head `head`; null for a fast-forward. */
async function mergeCommitOf(
  deps: Needs,
  project: CodeOf,
  head: string,
  commit: string,
): Promise<string | null> {
  const args = ["rev-list", "--ancestry-path", "--merges", "--topo-order", `^${commit}`, head, "--"];
  try {
    return (await gitIn(deps, project, args)).toString("utf8").trimEnd().split("\n").at(-1) || null;
  } catch (cause) {
    if (cause instanceof GitLimit) return null;
    throw cause;
  }
}

/** Returns whether a branch exists and contains a commit. */
export async function branchContains(
  deps: Needs,
  project: CodeOf,
  branch: string,
  commit: string,
): Promise<boolean> {
  const head = headsOf(deps, project, [branch]).get(branch);
  return head !== undefined && (await contains(deps, project, head, commit));
}

/** Returns whether `commit` is `head` or an ancestor of `head`. */
async function contains(deps: Needs, project: CodeOf, head: string, commit: string): Promise<boolean> {
  try {
    await gitIn(deps, project, ["merge-base", "--is-ancestor", commit, head]);
    return true;
  } catch (cause) {
    if (cause instanceof GitFailed && cause.status === 1) return false;
    throw cause;
  }
}
