import { visible } from "@/kernel/text/visible";
import { hasBidiControls } from "./shown-text";

/** Consecutive lines of the same kind in a patch. */
export type Run = Readonly<{
  kind: "hunk" | "added" | "removed" | "same" | "remark";
  text: string;
  /**
   * The numbers of these lines in the old file, as a text with one number per line; empty if the old file
   * does not contain these lines. `newNumbers` is the same text for the new file.
   */
  oldNumbers: string;
  newNumbers: string;
}>;

/** The patch of a file, in the form in which a page shows the patch. */
export type Patch = Readonly<{
  runs: readonly Run[];
  added: number;
  removed: number;
  /** Whether the patch contains bidirectional control characters. */
  hasBidi: boolean;
}>;

const KINDS: Readonly<Record<string, Run["kind"]>> = {
  "@": "hunk",
  "+": "added",
  "-": "removed",
  "\\": "remark",
};

/**
 * Groups consecutive lines of the same kind in a patch.
 * @param text the patch of a file, starting at its first `@@`.
 */
export function patchOf(text: string): Patch {
  const runs: { kind: Run["kind"]; lines: string[]; oldNumbers: number[]; newNumbers: number[] }[] = [];
  const counts = { added: 0, removed: 0 };
  let [oldLine, newLine] = [1, 1];
  for (const line of linesOf(text)) {
    const kind = KINDS[line.charAt(0)] ?? "same";
    if (kind === "added" || kind === "removed") counts[kind] += 1;
    if (kind === "hunk") [oldLine, newLine] = hunkStart(line);
    const last = runs.at(-1);
    const run = last?.kind === kind ? last : { kind, lines: [], oldNumbers: [], newNumbers: [] };
    if (run !== last) runs.push(run);
    run.lines.push(visible(line));
    if (kind === "removed" || kind === "same") run.oldNumbers.push(oldLine++);
    if (kind === "added" || kind === "same") run.newNumbers.push(newLine++);
  }
  const joined = runs.map(({ kind, lines, oldNumbers, newNumbers }) => ({
    kind,
    text: lines.join("\n"),
    oldNumbers: oldNumbers.join("\n"),
    newNumbers: newNumbers.join("\n"),
  }));
  return { runs: joined, ...counts, hasBidi: hasBidiControls(text) };
}

/**
 * Returns the first line numbers of a hunk in the old and the new file. The first line of the hunk is `@@
 * -OLD,COUNT +NEW,COUNT @@`.
 */
function hunkStart(line: string): [oldLine: number, newLine: number] {
  const [, oldLine = 1, newLine = 1] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line) ?? [];
  return [Number(oldLine), Number(newLine)];
}

const linesOf = (text: string): readonly string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** The maximum number of patch lines on a page. A browser would take too long to display more patch lines. */
export const PATCH_LINES_MAX = 5_000;

/**
 * Returns the patches of files for a page, in the order of the files. A patch is null if it does not fit on
 * the page together with the earlier patches.
 * @param texts the patches of the changed files.
 */
export function patchesOf(texts: readonly string[]): readonly (Patch | null)[] {
  let left = PATCH_LINES_MAX;
  return texts.map((text) => {
    const lines = linesOf(text).length;
    if (lines > left) return null;
    left -= lines;
    return patchOf(text);
  });
}
