import type { User } from "@/access/principal";
import { type CodeOf, gitIn } from "@/code/repositories/revision";
import { afterProbe } from "@/code/repositories/service";
import { signatureOf } from "@/code/repositories/signature";
import type { Deps } from "@/kernel/deps/deps";
import { mergedTree } from "./branches";
import { makeCommit, treeOf } from "./merge-commit";

/**
 * The maximum number of commits that the server rebases. Users must rebase a branch with more commits in
 * their own clones of the repository.
 */
export const REBASED_COMMITS_MAX = 200;

/** The time limit of a rebase. A rebase that exceeds the limit is aborted. */
const DURATION_MAX_MS = 60_000;

export type RebaseRefusal = "too_many" | "too_slow" | "conflict";

type RebaseInput = Readonly<{ source: string; target: string; by: User }>;

/**
 * Copies the commits of the source branch onto the target branch, as `git rebase` does. Merge commits, and
 * commits that become empty, are omitted. The copies have the authors and messages of the original commits.
 * The function creates commits but does not update a branch.
 * @returns the last copied commit (`tip`).
 */
export async function rebase(
  deps: Pick<Deps, "config" | "clock">,
  project: CodeOf,
  { source, target, by }: RebaseInput,
): Promise<Readonly<{ tip: string }> | RebaseRefusal> {
  const startedAt = performance.now();
  const commits = await commitsToMove(deps, project, source, target);
  if (commits.length > REBASED_COMMITS_MAX) return "too_many";
  let [tip, tree] = [target, await treeOf(deps, project, target)];
  for (const commit of commits) {
    if (performance.now() - startedAt > DURATION_MAX_MS) return "too_slow";
    // `git merge-tree` needs two commits with a merge base. The server therefore creates a temporary commit
    // with the new tree and the parent of the original commit.
    const ours =
      commit.parent === null
        ? null
        : await makeCommit(deps, project, { tree, parents: [commit.parent], message: "Rebase\n", by });
    const next = ours === null ? null : await mergedTree(deps, project, { ours, theirs: commit.hash });
    if (next === null) return "conflict";
    if (next === tree) continue;
    tree = next;
    tip = await copyCommit(deps, project, commit, { tree, parent: tip, by });
  }
  return { tip };
}

type RebasedCommit = Readonly<{ hash: string; parent: string | null; raw: Buffer }>;

/** Returns the commits that are only in the source branch, oldest first and without merge commits. */
async function commitsToMove(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  source: string,
  target: string,
): Promise<readonly RebasedCommit[]> {
  const most = `--max-count=${REBASED_COMMITS_MAX + 1}`;
  const range = [most, "--no-merges", "--topo-order", `^${target}`, source, "--"];
  const listed = (await gitIn(deps, project, ["rev-list", ...range])).toString("utf8");
  const hashes = listed.split("\n").filter(Boolean).toReversed();
  if (hashes.length === 0 || hashes.length > REBASED_COMMITS_MAX)
    return hashes.map((hash) => ({ hash, parent: null, raw: Buffer.alloc(0) }));
  const out = await gitIn(deps, project, ["cat-file", "--batch"], { input: `${hashes.join("\n")}\n` });
  return objectsIn(out).map(({ hash, raw }) => ({
    hash,
    parent: lineOf(partsOf(raw).header, "parent")?.slice("parent ".length) ?? null,
    raw,
  }));
}

/**
 * Parses the output of `git cat-file --batch`. For each object, the output contains `HASH commit SIZE`, a
 * line feed, SIZE bytes and a line feed.
 */
function objectsIn(out: Buffer): readonly Readonly<{ hash: string; raw: Buffer }>[] {
  const objects: { hash: string; raw: Buffer }[] = [];
  for (let at = 0; at < out.length; ) {
    const end = out.indexOf("\n", at);
    const [hash = "", , size = "0"] = out.subarray(at, end).toString("latin1").split(" ");
    const from = end + 1;
    objects.push({ hash, raw: out.subarray(from, from + Number(size)) });
    at = from + Number(size) + 1;
  }
  return objects;
}

/** Splits a commit object into its header and its message. An empty line separates the header from the message. */
function partsOf(raw: Buffer): Readonly<{ header: string; message: Buffer }> {
  const end = raw.indexOf("\n\n");
  if (end === -1) return { header: raw.toString("latin1"), message: Buffer.from("\n") };
  return { header: raw.subarray(0, end).toString("latin1"), message: raw.subarray(end + 1) };
}

/**
 * Returns the first line of a commit header that begins with this key. Only a line feed counts as the end of
 * a line, because names of authors may contain other control characters.
 */
const lineOf = (header: string, key: string): string | undefined =>
  header.split("\n").find((line) => line.startsWith(`${key} `));

/**
 * Copies a commit with another tree and another parent. The bytes of the author and the message stay
 * unchanged, regardless of their encoding. The signature of the commit is omitted, because it would be
 * invalid for the copy.
 */
async function copyCommit(
  deps: Pick<Deps, "config" | "clock">,
  project: CodeOf,
  { raw }: RebasedCommit,
  { tree, parent, by }: Readonly<{ tree: string; parent: string; by: User }>,
): Promise<string> {
  const { header, message } = partsOf(raw);
  const author = lineOf(header, "author") ?? "";
  const encoding = lineOf(header, "encoding");
  const { name, email, date } = signatureOf(by, deps.config.baseUrl.hostname, deps.clock());
  const lines = Buffer.concat([
    Buffer.from(`tree ${tree}\nparent ${parent}\n${author}\n`, "latin1"),
    Buffer.from(`committer ${name} <${email}> ${date}\n`),
    Buffer.from(encoding === undefined ? "" : `${encoding}\n`, "latin1"),
  ]);
  const input = Buffer.concat([lines, message]);
  const out = await gitIn(deps, project, ["hash-object", "-t", "commit", "-w", "--stdin"], { input }).catch(
    afterProbe(deps),
  );
  return out.toString("utf8").trim();
}
