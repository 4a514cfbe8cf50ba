import type { Deps } from "@/platform/deps";
import { type CodeOf, findCommit, gitIn, isInside } from "./revision";

export type Signature = Readonly<{ name: string; email: string; at: Date }>;

export type Commit = Readonly<{
  /** 40 hexadecimal digits. */
  hash: string;
  parents: readonly string[];
  author: Signature;
  committer: Signature;
  message: string;
}>;

/** Fields are parted by U+0000, which none of them can hold. */
const FORMAT = ["%H", "%P", "%an", "%ae", "%aI", "%cn", "%ce", "%cI", "%B"].join("%x00");
const FIELDS = 9;

function commitsIn(out: Buffer): readonly Commit[] {
  const fields = out.toString("utf8").split("\0");
  const commits: Commit[] = [];
  for (let at = 0; at + FIELDS <= fields.length; at += FIELDS) {
    const [hash = "", parents = "", an = "", ae = "", aAt = "", cn = "", ce = "", cAt = "", message = ""] =
      fields.slice(at, at + FIELDS);
    commits.push({
      hash,
      parents: parents.split(" ").filter(Boolean),
      author: { name: an, email: ae, at: timeOf(aAt) },
      committer: { name: cn, email: ce, at: timeOf(cAt) },
      message,
    });
  }
  return commits;
}

/** Whoever commits chooses the time; a year of five digits is one to Git, and no date to JavaScript. */
function timeOf(text: string): Date {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? new Date(0) : at;
}

const ARGS = ["log", "-z", `--format=${FORMAT}`, "--no-show-signature", "--encoding=UTF-8"];

export type CommitSearch = Readonly<{
  /** Null: the default branch. */
  revision: string | null;
  path?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  skip: number;
  most: number;
}>;

/** Commits from a revision on, the newest first; null where there is no such revision. */
export async function listCommits(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { revision, path, since, until, skip, most }: CommitSearch,
): Promise<readonly Commit[] | null> {
  const from = await findCommit(deps, project, revision);
  if (from === null || (path !== undefined && !isInside(path))) return null;
  const out = await gitIn(deps, project, [
    ...ARGS,
    `--skip=${skip}`,
    `--max-count=${most}`,
    ...(since === undefined ? [] : [`--since=${since.toISOString()}`]),
    ...(until === undefined ? [] : [`--until=${until.toISOString()}`]),
    from,
    "--",
    ...(path === undefined ? [] : [path]),
  ]);
  return commitsIn(out);
}

/** The commit that a revision names, or null. */
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

/** Many commits at once, by their hashes. */
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

/** How many commits lead to `to` and not to `from`, the oldest first, up to `most`. */
export async function commitsBetween(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { from, to, most }: Readonly<{ from: string; to: string; most: number }>,
): Promise<readonly Commit[]> {
  const out = await gitIn(deps, project, [...ARGS, `--max-count=${most}`, `^${from}`, to, "--"]);
  return commitsIn(out).toReversed();
}
