import type { MovedBranch } from "../pushes/push-listener";

type Change = Readonly<{ ref: string; before: string; after: string }>;

/**
 * The report that the Git hooks write about a push. The object id `before` of a new reference and the object
 * id `after` of a deleted reference consist of zeros.
 */
export type PushReport = Readonly<{
  /** The changed references, as the `post-receive` hook reported them. */
  changes: readonly Change[];
  /**
   * The references that the `update` hook accepted. Accepted references may have changed even if Git was stopped early.
   */
  accepted: readonly Change[];
  /** The push options (`git push -o`), in the order of the command line. */
  options: readonly string[];
  /**
   * Whether the report contains the part that the `post-receive` hook writes. Git cannot start the
   * `post-receive` hook if the push options exceed the maximum size of the process environment.
   */
  isComplete: boolean;
}>;

/**
 * Parses the report of the hooks: lines `update BEFORE AFTER REF`, lines `BEFORE AFTER REF`, an empty line,
 * and the push options.
 */
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

/** Returns the branches that a push has created or updated. */
export const branchesOf = ({ changes }: PushReport): readonly MovedBranch[] =>
  changes.flatMap(({ ref, after }) => {
    const [, name] = /^refs\/heads\/(.+)$/.exec(ref) ?? [];
    return name === undefined || isDeletion(after) ? [] : [{ name, head: after }];
  });
