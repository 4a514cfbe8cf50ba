import type { Deps } from "@/kernel/deps/deps";
import { GitFailed } from "../git/program";
import { findEntry, type ParsedEntry, parseTree, treeOf } from "./object-format";
import { objectInfo, requireObject } from "./objects";
import { type CodeOf, findCommit, gitIn, gitOfObjects, isInside } from "./revision";

export type TreeEntry = ParsedEntry & Readonly<{ path: string }>;

/**
 * Returns the entries of a folder: subfolders first, then files.
 * @param folder.path the path of the folder; empty for the root folder.
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
  const folder = path === "" ? null : await entryAt(deps, project, commit, path);
  if (path !== "" && folder?.kind !== "tree") return null;
  const tree = folder?.hash ?? (await treeOfCommit(deps, project, commit));
  const entries = recursive
    ? await listRecursively(deps, project, tree, path)
    : (await entriesOf(deps, project, tree)).map((entry) => ({ ...entry, path: within(path, entry.name) }));
  return entries.toSorted((a, b) => rank(a) - rank(b));
}

const within = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

const treeOfCommit = async (deps: Pick<Deps, "config">, project: CodeOf, commit: string): Promise<string> =>
  treeOf(await requireObject(deps, project, "commit", commit));

const entriesOf = async (
  deps: Pick<Deps, "config">,
  project: CodeOf,
  tree: string,
): Promise<readonly ParsedEntry[]> => parseTree(await requireObject(deps, project, "tree", tree));

/** Returns the entry at a path in the tree of a commit; null if the path does not exist. */
async function entryAt(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  commit: string,
  path: string,
): Promise<ParsedEntry | null> {
  let tree = await treeOfCommit(deps, project, commit);
  const names = path.split("/");
  for (const [index, name] of names.entries()) {
    const entry = findEntry(await requireObject(deps, project, "tree", tree), name);
    if (entry === null || index === names.length - 1) return entry;
    if (entry.kind !== "tree") return null;
    tree = entry.hash;
  }
  return null;
}

async function listRecursively(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  tree: string,
  path: string,
): Promise<readonly TreeEntry[]> {
  const out = await gitOfObjects(deps, project, ["ls-tree", "-z", "-r", "-t", "--full-tree", tree]);
  return out
    .toString("utf8")
    .split("\0")
    .flatMap((line) => entryOf(line, path));
}

const rank = ({ kind }: TreeEntry): number => (kind === "tree" ? 0 : 1);

function entryOf(line: string, folder: string): readonly TreeEntry[] {
  const [, mode, kind, hash, rest] =
    /^(\d{6}) (tree|blob|commit) ([0-9a-f]{40})\t([\s\S]+)$/.exec(line) ?? [];
  if (mode === undefined || hash === undefined || rest === undefined) return [];
  const path = within(folder, rest);
  return [{ mode, kind: kind as TreeEntry["kind"], hash, path, name: path.split("/").at(-1) ?? path }];
}

/** The properties of a file at a revision, without the last commit that changed the file. */
export type Blob = Readonly<{
  path: string;
  mode: string;
  hash: string;
  sizeBytes: number;
  /** The id of the commit of the requested revision. */
  commit: string;
}>;

export type FileInfo = Blob &
  Readonly<{
    /** The id of the last commit that changed the file. */
    lastCommit: string;
  }>;

type FileAt = Readonly<{ revision: string | null; path: string }>;

/**
 * Returns the properties of a file at a revision; null if the file does not exist. The function starts no
 * separate Git process.
 */
export async function findBlob(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { revision, path }: FileAt,
): Promise<Blob | null> {
  const commit = await findCommit(deps, project, revision);
  if (commit === null || !isInside(path)) return null;
  const entry = await entryAt(deps, project, commit, path);
  if (entry?.kind !== "blob") return null;
  const { mode, hash } = entry;
  return { path, mode, hash, sizeBytes: await sizeOf(deps, project, hash), commit };
}

/**
 * Returns the properties of a file at a revision, with the last commit that changed the file; null if the
 * file does not exist.
 */
export async function findFile(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  at: FileAt,
): Promise<FileInfo | null> {
  const blob = await findBlob(deps, project, at);
  if (blob === null) return null;
  const args = ["log", "-1", "--format=%H", blob.commit, "--", blob.path];
  const last = await gitOfObjects(deps, project, args);
  return { ...blob, lastCommit: last.toString("latin1").trim() };
}

async function sizeOf(deps: Pick<Deps, "config">, project: CodeOf, hash: string): Promise<number> {
  const info = await objectInfo(deps, project, hash);
  if (typeof info === "string") throw new GitFailed(["cat-file"], 128, `${hash} ${info}`);
  return info.sizeBytes;
}

/** The maximum size of a file that the API returns. */
export const FILE_BYTES_MAX = 10 * 1024 * 1024;

/**
 * The maximum size of a file that the shared Git process of the repository reads. Larger files are read by a
 * separate Git process, so that they do not delay other reads of the same repository.
 */
const SMALL_FILE_BYTES_MAX = 1024 * 1024;

/** Returns the content of a file. @throws GitLimit if the file is larger than `FILE_BYTES_MAX`. */
export async function readFile(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { hash }: Pick<FileInfo, "hash">,
): Promise<Buffer> {
  if ((await sizeOf(deps, project, hash)) <= SMALL_FILE_BYTES_MAX)
    return requireObject(deps, project, "blob", hash);
  return gitIn(deps, project, ["cat-file", "blob", hash], { bytesMax: FILE_BYTES_MAX });
}
