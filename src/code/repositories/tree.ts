import type { Deps } from "@/kernel/deps/deps";
import { type CodeOf, findCommit, gitIn, gitOrNull, isInside } from "./revision";

export type TreeEntry = Readonly<{
  mode: string;
  kind: "tree" | "blob" | "commit";
  hash: string;
  path: string;
  name: string;
}>;

/**
 * What is in a folder: folders first, then files.
 * @param ask.path empty for the root.
 * @param ask.recursive with everything below.
 * @returns null where there is no such revision or folder.
 */
export async function listTree(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { revision, path, recursive }: Readonly<{ revision: string | null; path: string; recursive: boolean }>,
): Promise<readonly TreeEntry[] | null> {
  const commit = await findCommit(deps, project, revision);
  if (commit === null || (path !== "" && !isInside(path))) return null;
  const depth = recursive ? ["-r", "-t"] : [];
  const out = await gitOrNull(deps, project, ["ls-tree", "-z", ...depth, "--full-tree", `${commit}:${path}`]);
  if (out === null) return null;
  const entries = out
    .toString("utf8")
    .split("\0")
    .flatMap((line) => entryOf(line, path));
  return entries.toSorted((one, other) => rank(one) - rank(other));
}

const rank = ({ kind }: TreeEntry): number => (kind === "tree" ? 0 : 1);

function entryOf(line: string, folder: string): readonly TreeEntry[] {
  const [, mode, kind, hash, rest] =
    /^(\d{6}) (tree|blob|commit) ([0-9a-f]{40})\t([\s\S]+)$/.exec(line) ?? [];
  if (mode === undefined || hash === undefined || rest === undefined) return [];
  const path = folder === "" ? rest : `${folder}/${rest}`;
  return [{ mode, kind: kind as TreeEntry["kind"], hash, path, name: path.split("/").at(-1) ?? path }];
}

export type FileInfo = Readonly<{
  path: string;
  mode: string;
  hash: string;
  sizeBytes: number;
  /** The commit that it was looked up in, and the last one that changed it. */
  commit: string;
  lastCommit: string;
}>;

/** A file at a revision; null where there is none. */
export async function findFile(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { revision, path }: Readonly<{ revision: string | null; path: string }>,
): Promise<FileInfo | null> {
  const commit = await findCommit(deps, project, revision);
  if (commit === null || !isInside(path)) return null;
  const out = await gitIn(deps, project, ["ls-tree", "-z", "--long", "--full-tree", commit, "--", path]);
  const [, mode, hash, size] = /^(\d{6}) blob ([0-9a-f]{40}) +(\d+)\t/.exec(out.toString("utf8")) ?? [];
  if (mode === undefined || hash === undefined) return null;
  const last = await gitIn(deps, project, ["log", "-1", "--format=%H", commit, "--", path]);
  return { path, mode, hash, sizeBytes: Number(size), commit, lastCommit: last.toString("utf8").trim() };
}

/** What is larger is fetched with Git. */
export const FILE_BYTES_MAX = 10 * 1024 * 1024;

/** The bytes of a file that is not too large. */
export const readFile = (
  deps: Pick<Deps, "config">,
  project: CodeOf,
  file: Pick<FileInfo, "hash">,
): Promise<Buffer> => gitIn(deps, project, ["cat-file", "blob", file.hash], { bytesMax: FILE_BYTES_MAX });
