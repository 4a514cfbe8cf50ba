import type { Deps } from "@/kernel/deps/deps";
import { type Commit, parseCommit } from "./object-format";
import { requireObjects } from "./objects";
import { type CodeOf, findCommit, gitIn, gitOfObjects, isInside } from "./revision";

export type { Commit } from "./object-format";

/**
 * `git log` prints only the ids of the commits, because the contents of most commits are already in the
 * object cache.
 */
const LOG = ["log", "--format=%H", "--encoding=UTF-8"];

const idsIn = (out: Buffer): readonly string[] => out.toString("latin1").split("\n").filter(Boolean);

export type CommitSearch = Readonly<{
  /** The name of a branch or tag, or a commit id; null for the default branch. */
  revision: string | null;
  path?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** The text to search for in the authors of commits. An author has the form `name <e-mail address>`. */
  author?: string | undefined;
  /** Whether to list the commits of all branches and tags. If true, the revision is ignored. */
  everywhere?: boolean | undefined;
  firstParent?: boolean | undefined;
  topological?: boolean | undefined;
  skip: number;
  most: number;
}>;

/** Returns the commits of a revision, newest first; null if the revision does not exist. */
export async function listCommits(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { revision, path, since, until, author, skip, most, ...flags }: CommitSearch,
): Promise<readonly Commit[] | null> {
  const from = await findCommit(deps, project, flags.everywhere ? null : revision);
  if (from === null || (path !== undefined && !isInside(path))) return null;
  const args = [
    ...LOG,
    `--skip=${skip}`,
    `--max-count=${most}`,
    ...(since === undefined ? [] : [`--since=${since.toISOString()}`]),
    ...(until === undefined ? [] : [`--until=${until.toISOString()}`]),
    // The author is matched as a fixed string, because a malicious regular expression could run for an unlimited time.
    ...(author === undefined || author === "" ? [] : ["--fixed-strings", `--author=${author}`]),
    ...(flags.firstParent ? ["--first-parent"] : []),
    ...(flags.topological ? ["--topo-order"] : []),
    ...(flags.everywhere ? ["--branches", "--tags"] : [from]),
    "--",
    ...(path === undefined ? [] : [path]),
  ];
  // A list of the commits of an author is not cached, because the list also depends on the file `.mailmap` of
  // the default branch. A list of the commits of all branches and tags is not cached, because the list also
  // depends on the references.
  const list = flags.everywhere || author !== undefined ? gitIn : gitOfObjects;
  return inOrder(deps, project, idsIn(await list(deps, project, args)));
}

/** Returns the commit of a revision; null if the revision does not exist. */
export async function readCommit(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  revision: string | null,
): Promise<Commit | null> {
  const hash = await findCommit(deps, project, revision);
  if (hash === null) return null;
  const [commit] = await inOrder(deps, project, [hash]);
  return commit ?? null;
}

/**
 * Returns the commits with these ids. Objects that are not commits are omitted.
 * @throws GitFailed if an object does not exist.
 */
export async function readCommits(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Commit>> {
  const objects = await requireObjects(deps, project, hashes);
  const commits = new Map<string, Commit>();
  for (const [hash, { kind, content }] of objects)
    if (kind === "commit") commits.set(hash, parseCommit(hash, content));
  return commits;
}

async function inOrder(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  hashes: readonly string[],
): Promise<readonly Commit[]> {
  const commits = await readCommits(deps, project, hashes);
  return hashes.flatMap((hash) => commits.get(hash) ?? []);
}

/**
 * Returns at most `most` of the newest commits that are reachable from `to` but not from `from`. The oldest commit comes
 * first.
 */
export const commitsBetween = async (
  deps: Pick<Deps, "config">,
  project: CodeOf,
  range: Readonly<{ from: string; to: string; most: number }>,
): Promise<readonly Commit[]> => (await commitsSince(deps, project, { ...range, skip: 0 })).toReversed();

/**
 * Returns the commits that are reachable from `to` but not from `from`, newest first.
 * @param from null for all commits that are reachable from `to`.
 */
export async function commitsSince(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { from, to, skip, most }: Readonly<{ from: string | null; to: string; skip: number; most: number }>,
): Promise<readonly Commit[]> {
  const range = from === null ? [to] : [`^${from}`, to];
  const args = [...LOG, `--skip=${skip}`, `--max-count=${most}`, ...range, "--"];
  return inOrder(deps, project, idsIn(await gitOfObjects(deps, project, args)));
}

/**
 * Counts the commits that are reachable from `to` but not from `from`.
 * @param from null for all commits that are reachable from `to`.
 */
export async function countBetween(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { from, to }: Readonly<{ from: string | null; to: string }>,
): Promise<number> {
  const range = from === null ? [to] : [`^${from}`, to];
  const out = await gitOfObjects(deps, project, ["rev-list", "--count", ...range, "--"]);
  return Number(out.toString("utf8"));
}

/** The numbers of lines that a commit adds and deletes, compared with the first parent of the commit. */
export type CommitStats = Readonly<{ additions: number; deletions: number }>;

/**
 * Returns the numbers of added and deleted lines of each commit. The function starts at most one Git process.
 */
export async function readCommitStats(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, CommitStats>> {
  if (hashes.length === 0) return new Map();
  const args = ["log", "--no-walk=unsorted", "--stdin", "--format=%x00%H", "--numstat", "--no-renames"];
  const out = await gitOfObjects(deps, project, [...args, "--diff-merges=first-parent"], {
    input: `${hashes.join("\n")}\n`,
  });
  const parts = out.toString("utf8").split("\0").slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf("\n")), statsIn(part)]));
}

/**
 * Returns the numbers of added and deleted lines in the output of `git --numstat`. Git prints `-` for both
 * numbers of a binary file.
 */
function statsIn(numstat: string): CommitStats {
  const lines = [...numstat.matchAll(/^(\d+)\t(\d+)\t/gm)];
  const sum = (column: number) => lines.reduce((total, line) => total + Number(line[column]), 0);
  return { additions: sum(1), deletions: sum(2) };
}
