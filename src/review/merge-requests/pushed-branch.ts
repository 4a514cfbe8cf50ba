import { reaches } from "@/access/roles";
import type { MovedBranch, Pusher } from "@/code/pushes/push-listener";
import { type OwnPush, recentPushesBy } from "@/code/pushes/service";
import { branchHead, defaultBranch, isBranchName } from "@/code/repositories/reference";
import type { Deps } from "@/kernel/deps/deps";
import { urlWithQuery } from "@/kernel/http/query";
import { visibleName } from "@/kernel/text/visible";
import { LEAST_TO_MERGE } from "./rules";
import type { Actor } from "./service";
import { listFrom } from "./store.sql";

/** The maximum number of pushed branches for which links are printed. */
const BRANCHES_MAX = 10;

/** Returns the URL path of the form for a new merge request from a branch. */
const newMergeRequestPath = (project: Readonly<{ id: number }>, source: string): string =>
  urlWithQuery(`/projects/${project.id}/merge_requests/new`, { source });

/**
 * Returns the messages that the Git client prints after a push. As in GitLab, the message for a branch
 * contains the URL of the open merge request of the branch. If the branch has no open merge request, the
 * message contains the URL of the form for a new merge request. The result contains no messages for the
 * default branch, for branches without new commits, and for branches whose names Gatehouse refuses (for
 * example, because of C1 control characters).
 */
export async function mergeRequestLinks(
  deps: Pick<Deps, "reads" | "config">,
  { project }: Pick<Pusher, "project">,
  branches: readonly MovedBranch[],
): Promise<readonly string[]> {
  const main = defaultBranch(deps, project);
  if (main === null || branches.length > BRANCHES_MAX) return [];
  const mainHead = branchHead(deps, project, main);
  const others = branches.filter(
    ({ name, head }) => name !== main && head !== mainHead && isBranchName(name),
  );
  if (others.length === 0) return [];
  const names = others.map(({ name }) => name);
  const open = (await listFrom(deps.reads, project.id, names)).filter(({ state }) => state === "opened");
  return names.flatMap((name) => {
    const iid = open.find(({ sourceBranch }) => sourceBranch === name)?.iid;
    const path =
      iid === undefined
        ? newMergeRequestPath(project, name)
        : `/projects/${project.id}/merge_requests/${iid}`;
    const title =
      iid === undefined
        ? `To create a merge request for ${visibleName(name)}, visit:`
        : `View merge request for ${visibleName(name)}:`;
    return [title, `  ${deps.config.issuer}${path}`];
  });
}

/**
 * The period after a push in which the project page offers to create a merge request for the pushed branch.
 * GitLab uses the same period.
 */
const OFFERED_MS = 2 * 60 * 60 * 1_000;

/**
 * A branch that a user has just pushed, with the URL path of the form that creates a merge request for this
 * branch.
 */
export type OfferedBranch = Pick<OwnPush, "branch" | "pushedAt"> & Readonly<{ url: string }>;

/**
 * Returns the branch that the user pushed last, ignoring branches that have another head by now or have a
 * merge request; null if no such branch exists.
 */
export async function offeredBranch(
  deps: Pick<Deps, "reads" | "config" | "clock">,
  { project, user }: Actor,
): Promise<OfferedBranch | null> {
  if (!reaches(project.role, LEAST_TO_MERGE)) return null;
  const since = new Date(deps.clock().getTime() - OFFERED_MS);
  const pushes = await recentPushesBy(deps, project, user, since);
  if (pushes.length === 0) return null;
  const main = defaultBranch(deps, project);
  const mainHead = main === null ? null : branchHead(deps, project, main);
  const candidates = pushes.filter(
    ({ branch, headSha }) =>
      branch !== main && headSha !== mainHead && branchHead(deps, project, branch) === headSha,
  );
  if (mainHead === null || candidates.length === 0) return null;
  const requests = await listFrom(
    deps.reads,
    project.id,
    candidates.map(({ branch }) => branch),
  );
  const offered = candidates.find(
    ({ branch, headSha }) =>
      !requests.some(
        ({ sourceBranch, state, headSha: requested }) =>
          sourceBranch === branch && (state === "opened" || state === "locked" || requested === headSha),
      ),
  );
  if (offered === undefined) return null;
  const { branch, pushedAt } = offered;
  return { branch, pushedAt, url: newMergeRequestPath(project, branch) };
}
