import type { MovedBranch } from "../pushes/push-listener";

type Change = Readonly<{ ref: string; before: string; after: string }>;

/** What a push has changed, as the hooks report it. A hash of zeros: there was none, or it was deleted. */
export type PushReport = Readonly<{
  /** References that have changed, as the hook `post-receive` reports them. */
  changes: readonly Change[];
  /** References that the hook `update` has accepted: where Git was ended, they may have changed. */
  accepted: readonly Change[];
  /** Of `git push -o`, in their order. */
  options: readonly string[];
  /** Whether the hook `post-receive` has reported: Git cannot start it with more push options than an environment holds. */
  isComplete: boolean;
}>;

/** Reads lines `update BEFORE AFTER REF`, lines `BEFORE AFTER REF`, an empty line, and the options. */
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

/** The branches that a push has created or moved. */
export const branchesOf = ({ changes }: PushReport): readonly MovedBranch[] =>
  changes.flatMap(({ ref, after }) => {
    const [, name] = /^refs\/heads\/(.+)$/.exec(ref) ?? [];
    return name === undefined || isDeletion(after) ? [] : [{ name, head: after }];
  });
