import { GitLimit } from "@/code/git/program";
import type { Deps } from "@/kernel/deps/deps";
import { type Sections, sectionsIn, textIn } from "./patch-sections";
import { type CodeOf, gitIn, gitOrNull } from "./revision";

/** How one file differs. */
export type FileDiff = Readonly<{
  oldPath: string;
  newPath: string;
  oldMode: string;
  newMode: string;
  kind: "added" | "deleted" | "renamed" | "changed";
  /** From the first `@@` on; empty for binary files, and where `tooLarge`. */
  text: string;
  tooLarge: boolean;
}>;

/** All that differs; `overflow` where the texts are left out because there is too much of it. */
export type Diff = Readonly<{ files: readonly FileDiff[]; overflow: boolean }>;

const FILES_MAX = 1_000;
const FILE_LENGTH_MAX = 200_000;
const BYTES_MAX = 8 * 1024 * 1024;

const COMMON = ["diff-tree", "-r", "-M", "--no-color", "--no-ext-diff", "--no-textconv", "--full-index"];

/** The tree without anything in it, which every repository knows. */
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * What differs between two commits.
 * @param from null: everything is new.
 * @throws GitLimit where there are more files than can be listed.
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
 * A part of the same: what is too much at once is not too much part by part.
 * @returns `total`: of all files.
 * @throws GitLimit where there are more files than can be listed.
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
  filesIn((await gitIn(deps, project, [...COMMON, "--raw", "-z", ...between])).toString("utf8"));

const textsOf = (files: readonly Listed[], sections: Sections | null): readonly FileDiff[] =>
  files.map((file) => withText(file, sections && textIn(sections, file)));

type Listed = Omit<FileDiff, "text" | "tooLarge"> & Readonly<{ sections: 1 | 2 }>;

function withText({ sections: _, ...file }: Listed, text: string | null): FileDiff {
  const fits = text !== null && text.length <= FILE_LENGTH_MAX;
  return { ...file, text: fits ? text : "", tooLarge: !fits };
}

/**
 * All sections of a patch; null where they are too long together, or take too long to make.
 * @param of two commits, and after `--` the files that matter.
 */
async function sectionsOf(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  of: readonly string[],
): Promise<Sections | null> {
  try {
    const out = await gitIn(deps, project, [...COMMON, "-p", ...of], { bytesMax: BYTES_MAX });
    return sectionsIn(out.toString("utf8"));
  } catch (cause) {
    if (cause instanceof GitLimit) return null;
    throw cause;
  }
}

const KINDS = { A: "added", D: "deleted", R: "renamed" } as const;

/** `:old-mode new-mode old-hash new-hash STATUS`, then one path, or two for what was renamed, parted by U+0000. */
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
      // A file that becomes a link is removed and added: the patch says so, and the list does not.
      sections: status === "T" ? 2 : 1,
    });
    at += moved ? 3 : 2;
  }
  return files;
}

/** Where two commits parted; null where they never were one. */
export async function mergeBase(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  one: string,
  other: string,
): Promise<string | null> {
  const out = await gitOrNull(deps, project, ["merge-base", one, other]);
  return out?.toString("utf8").trim() || null;
}
