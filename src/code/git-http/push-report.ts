import type { MovedBranch } from "../pushes/push-listener";

type Change = Readonly<{ ref: string; before: string; after: string }>;

/** The report of the hooks on a push. A hash consists of zeros before a reference is created and after it is deleted. */
export type PushReport = Readonly<{
  /** Changed references, reported by the hook `post-receive`. */
  changes: readonly Change[];
  /** References that the hook `update` has accepted. They may have changed even if Git was ended early. */
  accepted: readonly Change[];
  /** The options of `git push -o`, in their order. */
  options: readonly string[];
  /** Whether `post-receive` has reported. Git cannot start it when the push options exceed the size of an environment. */
  isComplete: boolean;
}>;

/** Parses a report: lines `update BEFORE AFTER REF`, lines `BEFORE AFTER REF`, an empty line, and the options. */
export function readPushReport(text: string): PushReport {
  const [changes = "", options = ""] = text.split(/^\n/m, 2);
  return {
    changes: linesOf(changes).flatMap(changeIn),
    accepted: linesOf(changes).flatMap((line) =>
      line.startsWith(ACCEPTED) ? changeIn(line.slice(ACCEPTED.length)) : [],
    ),
    options: linesOf(options),
    isComplete: /^\n/m.test(text),
  };
}

const ACCEPTED = "update ";

function changeIn(line: string): readonly Change[] {
  const [, before, after, ref] = /^([0-9a-f]+) ([0-9a-f]+) (refs\/.+)$/.exec(line) ?? [];
  return before && after && ref ? [{ before, after, ref }] : [];
}

const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

const isDeletion = (hash: string): boolean => /^0+$/.test(hash);

/** Returns the branches that a push has created or moved. */
export const branchesOf = ({ changes }: PushReport): readonly MovedBranch[] =>
  changes.flatMap(({ ref, after }) => {
    const [, name] = /^refs\/heads\/(.+)$/.exec(ref) ?? [];
    return name === undefined || isDeletion(after) ? [] : [{ name, head: after }];
  });
