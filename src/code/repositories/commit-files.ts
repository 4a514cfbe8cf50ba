import type { Deps } from "@/kernel/deps/deps";
import { type CodeOf, gitOfObjects } from "./revision";

/** The paths that a commit adds, modifies and removes, compared with the first parent of the commit. */
export type CommitFiles = Readonly<{
  added: readonly string[];
  modified: readonly string[];
  removed: readonly string[];
}>;

const LIST_OF_STATUS: Readonly<Record<string, keyof CommitFiles>> = { A: "added", D: "removed" };

/**
 * Returns the changed paths of each commit, with the commit id as key. The function starts at most one Git
 * process.
 */
export async function readCommitFiles(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, CommitFiles>> {
  if (hashes.length === 0) return new Map();
  const args = [
    "log",
    "--no-walk=unsorted",
    "--stdin",
    "-z",
    "--format=commit %H",
    "--name-status",
    "--no-renames",
  ];
  const out = await gitOfObjects(deps, project, [...args, "--diff-merges=first-parent"], {
    input: `${hashes.join("\n")}\n`,
  });
  return parseNameStatus(out.toString("utf8"));
}

/**
 * Parses the output of `git log --name-status -z`. For each commit, the output contains the commit id, and
 * then a status and a path for each changed file. Each commit id, status and path is followed by U+0000.
 */
function parseNameStatus(output: string): ReadonlyMap<string, CommitFiles> {
  const files = new Map<string, Record<keyof CommitFiles, string[]>>();
  let current: Record<keyof CommitFiles, string[]> | undefined;
  let status: string | null = null;
  for (const token of output.split("\0")) {
    if (status !== null) {
      current?.[LIST_OF_STATUS[status] ?? "modified"].push(token);
      status = null;
      continue;
    }
    const text = token.trimStart();
    const hash = /^commit ([0-9a-f]+)$/.exec(text)?.[1];
    if (hash !== undefined) {
      current = { added: [], modified: [], removed: [] };
      files.set(hash, current);
    } else if (text !== "") status = text;
  }
  return files;
}
