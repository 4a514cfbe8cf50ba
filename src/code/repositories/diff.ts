import { GitLimit } from "@/code/git/program";
import type { Deps } from "@/kernel/deps/deps";
import { type Sections, sectionsIn, textIn } from "./patch-sections";
import { type CodeOf, gitOfObjects, nullIfRefused } from "./revision";

/** The diff of one file. */
export type FileDiff = Readonly<{
  oldPath: string;
  newPath: string;
  oldMode: string;
  newMode: string;
  kind: "added" | "deleted" | "renamed" | "changed";
  /**
   * The patch of the file, starting at the first `@@`; an empty string if the file is binary or `tooLarge` is
   * set.
   */
  text: string;
  tooLarge: boolean;
}>;

/**
 * The changed files. If `overflow` is set, the patches of all files are omitted, because the whole diff is
 * too large.
 */
export type Diff = Readonly<{ files: readonly FileDiff[]; overflow: boolean }>;

const FILES_MAX = 1_000;
const FILE_LENGTH_MAX = 200_000;
const BYTES_MAX = 8 * 1024 * 1024;

const COMMON = ["diff-tree", "-r", "-M", "--no-color", "--no-ext-diff", "--no-textconv", "--full-index"];

/** The id of the empty tree, which exists in every repository. */
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * Returns the diff between two commits.
 * @param from the id of the older commit; null to compare `to` with the empty tree.
 * @throws GitLimit if there are too many changed files to list.
 */
export async function readDiff(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { from, to }: Readonly<{ from: string | null; to: string }>,
): Promise<Diff> {
  const between = [from ?? EMPTY_TREE, to];
  const files = await listed(deps, project, between);
  const sections = files.length > FILES_MAX ? null : await sectionsOf(deps, project, between);
  return { files: textsOf(files.slice(0, FILES_MAX), sections), overflow: sections === null };
}

/**
 * Returns one page of the diff between two commits. The function can return a page of changed files even if
 * the whole diff is too large.
 * @param from the id of the older commit; null to compare `to` with the empty tree.
 * @returns the files of the page, and the total number of changed files.
 * @throws GitLimit if there are too many changed files to list.
 */
export async function readDiffPart(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { from, to, skip, most }: Readonly<{ from: string | null; to: string; skip: number; most: number }>,
): Promise<Readonly<{ files: readonly FileDiff[]; total: number }>> {
  const between = [from ?? EMPTY_TREE, to];
  const files = await listed(deps, project, between);
  const part = files.slice(skip, skip + most);
  const all = files.length > FILES_MAX ? null : await sectionsOf(deps, project, between);
  const paths = [...new Set(part.flatMap(({ oldPath, newPath }) => [oldPath, newPath]))];
  const sections = all ?? (await sectionsOf(deps, project, [...between, "--", ...paths]));
  return { files: textsOf(part, sections), total: files.length };
}

const listed = async (
  deps: Pick<Deps, "config">,
  project: CodeOf,
  between: readonly string[],
): Promise<readonly Listed[]> =>
  filesIn((await gitOfObjects(deps, project, [...COMMON, "--raw", "-z", ...between])).toString("utf8"));

const textsOf = (files: readonly Listed[], sections: Sections | null): readonly FileDiff[] =>
  files.map((file) => withText(file, sections && textIn(sections, file)));

type Listed = Omit<FileDiff, "text" | "tooLarge"> & Readonly<{ sections: 1 | 2 }>;

function withText({ sections: _, ...file }: Listed, text: string | null): FileDiff {
  const fits = text !== null && text.length <= FILE_LENGTH_MAX;
  return { ...file, text: fits ? text : "", tooLarge: !fits };
}

/**
 * Returns the sections of a patch; null if the patch is too large, or Git takes too long.
 * @param of the arguments of `git diff-tree`: the two commits, optionally followed by `--` and paths.
 */
async function sectionsOf(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  of: readonly string[],
): Promise<Sections | null> {
  try {
    const out = await gitOfObjects(deps, project, [...COMMON, "-p", ...of], { bytesMax: BYTES_MAX });
    return sectionsIn(out.toString("utf8"));
  } catch (cause) {
    if (cause instanceof GitLimit) return null;
    throw cause;
  }
}

const KINDS = { A: "added", D: "deleted", R: "renamed" } as const;

/**
 * Parses the output of `git diff-tree --raw -z`. For each file, the output contains `:old-mode new-mode
 * old-hash new-hash STATUS`, U+0000, and the path followed by U+0000 (two paths for a renamed file).
 */
function filesIn(raw: string): readonly Listed[] {
  const parts = raw.split("\0");
  const files: Listed[] = [];
  for (let at = 0; at + 1 < parts.length; ) {
    const [, oldMode = "", newMode = "", status = ""] =
      /^:(\d{6}) (\d{6}) [0-9a-f]+ [0-9a-f]+ ([A-Z])/.exec(parts[at] ?? "") ?? [];
    const moved = status === "R" || status === "C";
    const oldPath = parts[at + 1] ?? "";
    const newPath = moved ? (parts[at + 2] ?? "") : oldPath;
    files.push({
      oldPath,
      newPath,
      oldMode,
      newMode,
      kind: KINDS[status as keyof typeof KINDS] ?? "changed",
      // A file that becomes a symbolic link has one entry in the raw output, but two sections in the patch:
      // one for the deleted file and one for the added symbolic link.
      sections: status === "T" ? 2 : 1,
    });
    at += moved ? 3 : 2;
  }
  return files;
}

/** Returns the id of the merge base of two commits; null if the commits have no common ancestor. */
export async function mergeBase(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  first: string,
  second: string,
): Promise<string | null> {
  const out = await gitOfObjects(deps, project, ["merge-base", first, second]).catch(nullIfRefused);
  return out?.toString("utf8").trim() || null;
}
