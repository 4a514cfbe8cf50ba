import { z } from "zod";
import { countBetween } from "@/code/repositories/commit";
import { notFound } from "@/http-api/errors";
import { flag, id } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { refreshMergeability } from "@/review/merge-requests/merge-worker";
import type { MergeRequest } from "@/review/merge-requests/rules";
import * as mergeRequests from "@/review/merge-requests/service";
import { mayMergeInto } from "@/review/merge-requests/service";
import type { OpenProject } from "@/workspace/api/places";
import type { DetailedMergeRequest } from "./entities/merge-request";

export const mergeRequestReference = z.object({ iid: id.describe("Its number in the project.") });
export type Reference = z.infer<typeof mergeRequestReference>;

/** @throws ApiError 404 where the project has no such merge request. */
export async function requireMergeRequest(
  deps: Deps,
  { project }: Pick<OpenProject, "project">,
  { iid }: Reference,
): Promise<MergeRequest> {
  const one = await mergeRequests.findMergeRequest(deps, project, iid);
  if (one === null) throw notFound("Merge Request");
  return one;
}

export async function withDetails(
  deps: Deps,
  { project }: Pick<OpenProject, "project">,
  one: MergeRequest,
): Promise<DetailedMergeRequest> {
  const canMerge = await mayMergeInto(deps, project, one.targetBranch);
  return { ...(await mergeRequests.withStatus(deps, one)), canMerge };
}

export const mergeRequestInput = mergeRequestReference.extend({
  include_diverged_commits_count: flag.default(false),
  include_rebase_in_progress: flag.default(false),
});

/** A merge request as it is now: Git has just been asked. */
export async function readMergeRequest(
  deps: Deps,
  who: OpenProject,
  { iid, ...ask }: z.infer<typeof mergeRequestInput>,
): Promise<DetailedMergeRequest> {
  const one = await withDetails(
    deps,
    who,
    await refreshMergeability(deps, await requireMergeRequest(deps, who, { iid })),
  );
  const diverged =
    ask.include_diverged_commits_count && one.checkedSha !== null
      ? { diverged: await countBetween(deps, who.project, { from: one.headSha, to: one.checkedSha }) }
      : {};
  return { ...one, ...diverged, includesRebaseState: ask.include_rebase_in_progress };
}
