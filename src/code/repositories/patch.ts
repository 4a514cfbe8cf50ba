import { isTurned, visible } from "./shown-text";

/** Lines of one kind that follow each other. */
export type Run = Readonly<{ kind: "place" | "added" | "removed" | "same" | "remark"; text: string }>;

/** How a page shows what changed in a file. */
export type Patch = Readonly<{
  runs: readonly Run[];
  added: number;
  removed: number;
  /** Whether it reads otherwise than it is. */
  turned: boolean;
}>;

const KINDS: Readonly<Record<string, Run["kind"]>> = {
  "@": "place",
  "+": "added",
  "-": "removed",
  "\\": "remark",
};

/**
 * The text of a file's difference, by what its lines are.
 * @param text from the first `@@` on, as Git writes it.
 */
export function patchOf(text: string): Patch {
  const runs: { kind: Run["kind"]; lines: string[] }[] = [];
  const counts = { added: 0, removed: 0 };
  for (const line of linesOf(text)) {
    const kind = KINDS[line.charAt(0)] ?? "same";
    if (kind === "added" || kind === "removed") counts[kind] += 1;
    const last = runs.at(-1);
    if (last?.kind === kind) last.lines.push(visible(line));
    else runs.push({ kind, lines: [visible(line)] });
  }
  const joined = runs.map(({ kind, lines }) => ({ kind, text: lines.join("\n") }));
  return { runs: joined, ...counts, turned: isTurned(text) };
}

const linesOf = (text: string): readonly string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** More lines are read in a copy of the repository: a page of them takes a browser too long. */
export const PATCH_LINES_MAX = 5_000;

/**
 * The texts that fit on a page together, in their order; null for each that does not.
 * @param texts of the files that differ.
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
