import { GitFailed, GitLimit } from "@/code/git/program";
import { EMPTY_TREE, mergeBase } from "@/code/repositories/diff";
import { isBranchName } from "@/code/repositories/reference";
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

/** Where branches are, by their names; a branch that is not there is not among them. */
export type Heads = ReadonlyMap<string, string>;

/** One call of Git, however many branches are asked for; without names, for all that there are. */
export async function headsOf(deps: Needs, project: CodeOf, names: readonly string[] | null): Promise<Heads> {
  // A name with a star in it would be a pattern here.
  const asked = names?.filter(isBranchName).map((name) => `refs/heads/${name}`) ?? ["refs/heads"];
  if (asked.length === 0) return new Map();
  const out = await gitIn(deps, project, [
    "for-each-ref",
    "--format=%(refname:lstrip=2)%00%(objectname)",
    ...asked,
  ]);
  const heads = out
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      const [name = "", hash = ""] = line.split("\0");
      // A name is also a folder of names.
      return hash === "" || (names !== null && !names.includes(name)) ? [] : [[name, hash] as const];
    });
  return new Map(heads);
}

/** Whether one commit can be merged into another. */
export type Assessment = Readonly<{
  mergeability: Exclude<Mergeability, "missing">;
  behind: boolean;
  baseSha: string | null;
}>;

/** Asks Git whether `source` can be merged into `target`; what takes it too long stays unchecked. */
export async function assess(
  deps: Needs,
  project: CodeOf,
  { source, target }: Readonly<{ source: string; target: string }>,
): Promise<Assessment> {
  const baseSha = await mergeBase(deps, project, target, source);
  const behind = baseSha !== target;
  if (baseSha === source) return { mergeability: "empty", behind, baseSha };
  // Branches that never were one have nothing that could be compared.
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

/** The tree of both sides merged; null where they contradict each other. */
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

/** How many files differ, of nothing at all where `from` is null; one more than is counted where there are too many. */
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

/** Keeps a commit after its branch is gone. */
export async function keepCommit(deps: Needs, project: CodeOf, hash: string): Promise<void> {
  await writeIn(deps, project, ["update-ref", `refs/gatehouse/kept/${hash}`, hash]);
}

/** Keeps the commits of a version after their branch is gone, and counts the files that it changes. */
export async function keepVersion(
  deps: Needs,
  project: CodeOf,
  version: Omit<Version, "changesCount">,
): Promise<Version> {
  const { headSha, baseSha } = version;
  await keepCommit(deps, project, headSha);
  return { ...version, changesCount: await countChanges(deps, project, { from: baseSha, to: headSha }) };
}

/** How the branches of an open merge request differ from what is stored about them. */
export type Inspection =
  | Readonly<{ kind: "unchanged" }>
  /** The target branch contains the head. */
  | Readonly<{ kind: "merged"; target: string; mergeCommitSha: string | null }>
  | Readonly<{ kind: "checked"; checked: CheckedBranches }>
  | Readonly<{ kind: "moved"; checked: CheckedBranches; version: Version }>;

/** Compares the branches of an open merge request where they have moved. */
export async function inspectBranches(deps: Needs, mergeRequest: MergeRequest): Promise<Inspection> {
  const { project, sourceBranch, targetBranch, headSha, checkedSha, mergeability } = mergeRequest;
  const heads = await headsOf(deps, project, [sourceBranch, targetBranch]);
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
  const isKnown = mergeability !== "unchecked" && mergeability !== "missing";
  if (isKnown && source === headSha && target === checkedSha) return { kind: "unchanged" };
  const { baseSha, ...assessed } = await assess(deps, project, { source, target });
  if (assessed.mergeability === "empty" && (await isMerged(deps, mergeRequest, target)))
    return mergedInto(deps, mergeRequest, target);
  const checked = { ...assessed, checkedSha: target };
  // Without a checked target branch, the merge request has a new target branch, and so another base.
  if (source === headSha && checkedSha !== null) return { kind: "checked", checked };
  const version = await keepVersion(deps, project, { headSha: source, baseSha, startSha: target });
  return { kind: "moved", checked, version };
}

/** Whether the target branch lacked commits when the branches were last compared, and contains them now. */
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

/** Compares the stored head with the target branch; null where that branch is gone. */
export async function assessBranches(
  deps: Needs,
  { project, targetBranch, headSha }: MergeRequest,
): Promise<(Assessment & Readonly<{ target: string }>) | null> {
  const target = (await headsOf(deps, project, [targetBranch])).get(targetBranch);
  if (target === undefined) return null;
  return { target, ...(await assess(deps, project, { source: headSha, target })) };
}

/**
 * Moves a branch from one commit to another.
 * @returns false when it is somewhere else already.
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

/** Removes a branch that is still at a commit; where it has gone on, it stays. */
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

/** Larger pushes are read up to this. */
const NEW_COMMITS_MAX = 10_000;

/** The commits that a branch has at `to`, and had not at `from`. */
export async function newCommits(
  deps: Needs,
  project: CodeOf,
  { from, to }: Readonly<{ from: string; to: string }>,
): Promise<ReadonlySet<string>> {
  const args = ["rev-list", "--ignore-missing", `--max-count=${NEW_COMMITS_MAX}`, `^${from}`, to, "--"];
  return new Set((await gitIn(deps, project, args)).toString("utf8").split("\n"));
}

/** The merge commit by which a branch at `head` got a commit; null where it got that without one. */
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

/** Whether a branch contains a commit. */
export async function branchContains(
  deps: Needs,
  project: CodeOf,
  branch: string,
  commit: string,
): Promise<boolean> {
  const head = (await headsOf(deps, project, [branch])).get(branch);
  return head !== undefined && (await contains(deps, project, head, commit));
}

/** Whether a branch at `head` has a commit in it. */
async function contains(deps: Needs, project: CodeOf, head: string, commit: string): Promise<boolean> {
  try {
    await gitIn(deps, project, ["merge-base", "--is-ancestor", commit, head]);
    return true;
  } catch (cause) {
    if (cause instanceof GitFailed && cause.status === 1) return false;
    throw cause;
  }
}
