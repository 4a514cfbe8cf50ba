import { z } from "zod";
import { ApiError, conflict, forbidden, methodNotAllowed, unprocessable } from "@/http-api/errors";
import { flag, text } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { cancelScheduledMerge, merge, rebaseMergeRequest } from "@/review/merge-requests/merge";
import type { InProject } from "@/workspace/api/access-rules";
import type { DetailedMergeRequest } from "./entities/merge-request";
import { mergeRequestReference, type Reference, requireMergeRequest, withDetails } from "./merge-request";

export const mergeInput = mergeRequestReference.extend({
  sha: text(64)
    .optional()
    .describe(
      "The id of the head commit that you reviewed. The request fails with 409 if this commit is not the current head of the merge request.",
    ),
  squash: flag.optional(),
  should_remove_source_branch: flag.optional(),
  merge_commit_message: z.string().max(50_000).optional(),
  squash_commit_message: z.string().max(50_000).optional(),
  auto_merge: flag
    .optional()
    .describe("Whether to enable auto-merge if the merge request cannot be merged yet."),
  merge_when_pipeline_succeeds: flag.optional().describe("The older name of the parameter auto_merge."),
});

/**
 * Merges a merge request.
 * @throws ApiError 403 or 404; 405 if the merge request is not mergeable, 409 if the head has changed, 422 if
 * there are conflicts.
 */
export async function mergeNow(
  deps: Deps,
  context: InProject,
  { iid, ...input }: z.infer<typeof mergeInput>,
): Promise<DetailedMergeRequest> {
  const outcome = await merge(deps, context, await requireMergeRequest(deps, context, { iid }), {
    sha: input.sha || undefined,
    squash: input.squash,
    removesSource: input.should_remove_source_branch,
    mergeMessage: input.merge_commit_message || undefined,
    squashMessage: input.squash_commit_message || undefined,
    whenReady: input.auto_merge ?? input.merge_when_pipeline_succeeds,
  });
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "not_mergeable") throw methodNotAllowed();
  if (outcome === "conflict") throw unprocessable("Branch cannot be merged");
  if ("head" in outcome) throw conflict(`SHA does not match HEAD of source branch: ${outcome.head}`);
  return withDetails(deps, context, outcome);
}

/** Cancels auto-merge. @throws ApiError 403 or 404, 406 if auto-merge is not enabled. */
export async function cancelAutoMerge(
  deps: Deps,
  context: InProject,
  reference: Reference,
): Promise<DetailedMergeRequest> {
  const outcome = await cancelScheduledMerge(
    deps,
    context,
    await requireMergeRequest(deps, context, reference),
  );
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "not_set") throw new ApiError(406, { message: "406 Not Acceptable" });
  return withDetails(deps, context, outcome);
}

/**
 * Rebases the source branch onto the target branch.
 * @returns `mergeError`: the reason why the rebase failed, or null.
 * @throws ApiError 403 or 404, 405 if the merge request is not open, 409 if a push changed the source branch.
 */
export async function rebaseNow(
  deps: Deps,
  context: InProject,
  reference: Reference,
): Promise<Readonly<{ mergeError: string | null }>> {
  const outcome = await rebaseMergeRequest(
    deps,
    context,
    await requireMergeRequest(deps, context, reference),
  );
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "not_open") throw methodNotAllowed();
  if (outcome === "moved") throw conflict("The source branch has changed. Try again.");
  return typeof outcome === "string" ? requireMergeRequest(deps, context, reference) : { mergeError: null };
}
