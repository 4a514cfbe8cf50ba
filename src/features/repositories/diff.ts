import type { Deps } from "@/platform/deps";
import { GitLimit } from "@/platform/git/program";
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
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

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
  const raw = await gitIn(deps, project, [...COMMON, "--raw", "-z", ...between]);
  const files = filesIn(raw.toString("utf8"));
  const texts = files.length > FILES_MAX ? null : await textsOf(deps, project, between);
  let at = 0;
  const withTexts = files.slice(0, FILES_MAX).map(({ sections, ...file }) => {
    const own = texts?.slice(at, at + sections);
    at += sections;
    return withText(file, own?.join(""));
  });
  return { files: withTexts, overflow: texts === null };
}

/** What the raw list says of a file. */
type Difference = Omit<FileDiff, "text" | "tooLarge">;

function withText(file: Difference, text: string | undefined): FileDiff {
  const fits = text !== undefined && text.length <= FILE_LENGTH_MAX;
  return { ...file, text: fits ? text : "", tooLarge: !fits };
}

/** The texts of all files, in the order of the raw list; null where they are too long together. */
async function textsOf(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  between: readonly string[],
): Promise<readonly string[] | null> {
  try {
    const out = await gitIn(deps, project, [...COMMON, "-p", ...between], { bytesMax: BYTES_MAX });
    // Every other line of a patch begins with a character of its own. Lines end at U+000A alone: for `^` and `.` they
    // end at what a changed line may hold, too.
    const sections = out
      .toString("utf8")
      .split(/(?:^|(?<=\n))diff --git [^\n]*\n/)
      .slice(1);
    return sections.map((section) => /(?:^|(?<=\n))@@[\s\S]*/.exec(section)?.[0] ?? "");
  } catch (cause) {
    if (cause instanceof GitLimit) return null;
    throw cause;
  }
}

const KINDS = { A: "added", D: "deleted", R: "renamed" } as const;

/** `:old-mode new-mode old-hash new-hash STATUS`, then one path, or two for what was renamed, parted by U+0000. */
function filesIn(raw: string): readonly (Difference & Readonly<{ sections: number }>)[] {
  const parts = raw.split("\0");
  const files: (Difference & Readonly<{ sections: number }>)[] = [];
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
      // What becomes a link, or was one, is removed and added in the patch: two sections for one file.
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
