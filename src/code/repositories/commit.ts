import type { Deps } from "@/kernel/deps/deps";
import { type CodeOf, findCommit, gitIn, isInside } from "./revision";

export type Signature = Readonly<{ name: string; email: string; at: Date }>;

export type Commit = Readonly<{
  /** The commit id: 40 hexadecimal digits. */
  hash: string;
  parents: readonly string[];
  author: Signature;
  committer: Signature;
  message: string;
}>;

/** The fields of a commit are separated by U+0000, which no field can contain. */
const FORMAT = ["%H", "%P", "%an", "%ae", "%at", "%cn", "%ce", "%ct", "%B"].join("%x00");
const FIELDS = 9;

const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");
const LATEST_MS = Date.parse("9999-12-31T23:59:59Z");

/**
 * Returns the date of a Unix time, limited to the years of ISO 8601: a commit can contain any number as its date, or
 * text that is not a number. Git's own date formats include the time zone, which can be invalid too.
 */
function momentOf(seconds: string): Date {
  const at = Number(seconds) * 1_000;
  return new Date(Number.isNaN(at) ? 0 : Math.min(Math.max(at, EARLIEST_MS), LATEST_MS));
}

function commitsIn(out: Buffer): readonly Commit[] {
  const fields = out.toString("utf8").split("\0");
  const commits: Commit[] = [];
  for (let at = 0; at + FIELDS <= fields.length; at += FIELDS) {
    const [hash = "", parents = "", an = "", ae = "", aAt = "", cn = "", ce = "", cAt = "", message = ""] =
      fields.slice(at, at + FIELDS);
    commits.push({
      hash,
      parents: parents.split(" ").filter(Boolean),
      author: { name: an, email: ae, at: momentOf(aAt) },
      committer: { name: cn, email: ce, at: momentOf(cAt) },
      message,
    });
  }
  return commits;
}

const ARGS = ["log", "-z", `--format=${FORMAT}`, "--no-show-signature", "--encoding=UTF-8"];

export type CommitSearch = Readonly<{
  /** The branch, tag or commit; null for the default branch. */
  revision: string | null;
  path?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Text that must occur in the author, which has the form `name <e-mail address>`. */
  author?: string | undefined;
  /** Whether to list the commits of all branches and tags. The revision is then ignored. */
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
  const out = await gitIn(deps, project, [
    ...ARGS,
    `--skip=${skip}`,
    `--max-count=${most}`,
    ...(since === undefined ? [] : [`--since=${since.toISOString()}`]),
    ...(until === undefined ? [] : [`--until=${until.toISOString()}`]),
    // The author is matched as a fixed string: matching a client's regular expression could take years.
    ...(author === undefined || author === "" ? [] : ["--fixed-strings", `--author=${author}`]),
    ...(flags.firstParent ? ["--first-parent"] : []),
    ...(flags.topological ? ["--topo-order"] : []),
    ...(flags.everywhere ? ["--branches", "--tags"] : [from]),
    "--",
    ...(path === undefined ? [] : [path]),
  ]);
  return commitsIn(out);
}

/** Returns the commit of a revision, or null. */
export async function readCommit(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  revision: string | null,
): Promise<Commit | null> {
  const hash = await findCommit(deps, project, revision);
  if (hash === null) return null;
  const [commit] = commitsIn(await gitIn(deps, project, [...ARGS, "--no-walk", hash]));
  return commit ?? null;
}

/** Returns the commits with these ids. The function starts one Git process. Missing commits are omitted. */
export async function readCommits(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Commit>> {
  if (hashes.length === 0) return new Map();
  const out = await gitIn(deps, project, [...ARGS, "--no-walk=unsorted", "--stdin"], {
    input: `${hashes.join("\n")}\n`,
  });
  return new Map(commitsIn(out).map((commit) => [commit.hash, commit]));
}

/**
 * Returns up to `most` of the newest commits that are reachable from `to` but not from `from`. The oldest commit comes
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
  const args = [...ARGS, `--skip=${skip}`, `--max-count=${most}`, ...range, "--"];
  return commitsIn(await gitIn(deps, project, args));
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
  const out = await gitIn(deps, project, ["rev-list", "--count", ...range, "--"]);
  return Number(out.toString("utf8"));
}

/** The numbers of lines that a commit adds and deletes, compared with its first parent. */
export type CommitStats = Readonly<{ additions: number; deletions: number }>;

/** Returns the statistics of commits. The function starts one Git process. */
export async function readCommitStats(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, CommitStats>> {
  if (hashes.length === 0) return new Map();
  const args = ["log", "--no-walk=unsorted", "--stdin", "--format=%x00%H", "--numstat", "--no-renames"];
  const out = await gitIn(deps, project, [...args, "--diff-merges=first-parent"], {
    input: `${hashes.join("\n")}\n`,
  });
  const parts = out.toString("utf8").split("\0").slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf("\n")), statsIn(part)]));
}

/** Git prints `-` for both numbers of a binary file. */
function statsIn(numstat: string): CommitStats {
  const lines = [...numstat.matchAll(/^(\d+)\t(\d+)\t/gm)];
  const sum = (column: number) => lines.reduce((total, line) => total + Number(line[column]), 0);
  return { additions: sum(1), deletions: sum(2) };
}
