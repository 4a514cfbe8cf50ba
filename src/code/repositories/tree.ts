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
 * Returns the entries of a folder: subfolders first, then files.
 * @param folder.path the path of the folder; empty for the root.
 * @param folder.recursive whether to include the content of subfolders.
 * @returns null if the revision or folder does not exist.
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
  return entries.toSorted((a, b) => rank(a) - rank(b));
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
  /** The id of the commit of the requested revision. */
  commit: string;
  /** The id of the last commit that changed the file. */
  lastCommit: string;
}>;

/** Returns a file at a revision; null if it does not exist. */
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

/** The maximum size of a file that the API returns. */
export const FILE_BYTES_MAX = 10 * 1024 * 1024;

/** Returns the content of a file. @throws GitLimit if the file is larger than `FILE_BYTES_MAX`. */
export const readFile = (
  deps: Pick<Deps, "config">,
  project: CodeOf,
  file: Pick<FileInfo, "hash">,
): Promise<Buffer> => gitIn(deps, project, ["cat-file", "blob", file.hash], { bytesMax: FILE_BYTES_MAX });
