import type { User } from "@/access/principal";
import { type CodeOf, gitIn } from "@/code/repositories/revision";
import { afterProbe } from "@/code/repositories/service";
import { signatureOf } from "@/code/repositories/signature";
import type { Deps } from "@/kernel/deps/deps";
import { mergedTree } from "./branches";
import { mergeMessageOf, squashMessageOf } from "./commit-message";
import type { MergeRequest } from "./rules";

type Needs = Pick<Deps, "config" | "clock">;

export type NewCommit = Readonly<{ tree: string; parents: readonly string[]; message: string; by: User }>;

/** Creates a commit object without changing a branch. @returns the id of the commit. */
export async function makeCommit(
  deps: Needs,
  project: CodeOf,
  { tree, parents, message, by }: NewCommit,
): Promise<string> {
  const { name, email, date } = signatureOf(by, deps.config.baseUrl.hostname, deps.clock());
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
  const out = await gitIn(deps, project, args, {
    input: message.endsWith("\n") ? message : `${message}\n`,
    variables: {
      ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date },
      ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date },
    },
  }).catch(afterProbe(deps));
  return out.toString("utf8").trim();
}

/** The plan of a merge: the future head of the target branch (`tip`), and the commits that the server creates. */
export type MergePlan = Readonly<{
  tip: string;
  mergeCommitSha: string | null;
  squashCommitSha: string | null;
}>;

/**
 * Creates the squash commit and the merge commit of a merge, if the merge options and the merge method
 * require these commits.
 * @param at.target the head of the target branch.
 * @param at.base the merge base of the source and the target branch.
 * @returns null if the merge has conflicts.
 */
export async function planMerge(
  deps: Needs,
  mergeRequest: MergeRequest,
  { target, base }: Readonly<{ target: string; base: string }>,
  by: User,
): Promise<MergePlan | null> {
  const { project, headSha, squash } = mergeRequest;
  const isFastForward = project.mergeMethod === "ff";
  const tree = await mergedTree(deps, project, { ours: target, theirs: headSha });
  if (tree === null) return null;
  const squashed = { message: mergeRequest.squashMessage ?? squashMessageOf(mergeRequest), by };
  const squashCommitSha = squash
    ? await makeCommit(deps, project, {
        ...squashed,
        ...(isFastForward
          ? { tree, parents: [target] }
          : { tree: await treeOf(deps, project, headSha), parents: [base] }),
      })
    : null;
  const side = squashCommitSha ?? headSha;
  if (isFastForward) return { tip: side, mergeCommitSha: null, squashCommitSha };
  const message = mergeRequest.mergeMessage ?? mergeMessageOf(mergeRequest);
  const tip = await makeCommit(deps, project, { tree, parents: [target, side], message, by });
  return { tip, mergeCommitSha: tip, squashCommitSha };
}

/** Returns the id of the tree of a commit. */
export async function treeOf(deps: Needs, project: CodeOf, commit: string): Promise<string> {
  const out = await gitIn(deps, project, ["rev-parse", "--verify", `${commit}^{tree}`]);
  return out.toString("utf8").trim();
}
