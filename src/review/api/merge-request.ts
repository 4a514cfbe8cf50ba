import { z } from "zod";
import { countBetween } from "@/code/repositories/commit";
import { notFound } from "@/http-api/errors";
import { flag, id } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { refreshMergeability } from "@/review/merge-requests/merge-worker";
import type { MergeRequest } from "@/review/merge-requests/rules";
import * as mergeRequests from "@/review/merge-requests/service";
import { mayMergeInto } from "@/review/merge-requests/service";
import type { OpenProject } from "@/workspace/api/access-rules";
import type { DetailedMergeRequest } from "./entities/merge-request";

export const mergeRequestReference = z.object({
  iid: id.describe("The number of the merge request in the project."),
});
export type Reference = z.infer<typeof mergeRequestReference>;

/** Returns a merge request. @throws ApiError 404 if the project has no such merge request. */
export async function requireMergeRequest(
  deps: Deps,
  { project }: Pick<OpenProject, "project">,
  { iid }: Reference,
): Promise<MergeRequest> {
  const mergeRequest = await mergeRequests.findMergeRequest(deps, project, iid);
  if (mergeRequest === null) throw notFound("Merge Request");
  return mergeRequest;
}

/** Adds the merge status and the caller's permissions to a merge request. */
export async function withDetails(
  deps: Deps,
  { project }: Pick<OpenProject, "project">,
  mergeRequest: MergeRequest,
): Promise<DetailedMergeRequest> {
  const canMerge = await mayMergeInto(deps, project, mergeRequest.targetBranch);
  return { ...(await mergeRequests.withStatus(deps, mergeRequest)), canMerge };
}

export const mergeRequestInput = mergeRequestReference.extend({
  include_diverged_commits_count: flag.default(false),
  include_rebase_in_progress: flag.default(false),
});

/** Refreshes the mergeability of a merge request, and returns the refreshed merge request. */
export async function readMergeRequest(
  deps: Deps,
  context: OpenProject,
  { iid, ...options }: z.infer<typeof mergeRequestInput>,
): Promise<DetailedMergeRequest> {
  const mergeRequest = await withDetails(
    deps,
    context,
    await refreshMergeability(deps, await requireMergeRequest(deps, context, { iid })),
  );
  const diverged =
    options.include_diverged_commits_count && mergeRequest.checkedSha !== null
      ? {
          diverged: await countBetween(deps, context.project, {
            from: mergeRequest.headSha,
            to: mergeRequest.checkedSha,
          }),
        }
      : {};
  return { ...mergeRequest, ...diverged, includesRebaseState: options.include_rebase_in_progress };
}
