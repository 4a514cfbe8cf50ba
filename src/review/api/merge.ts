import { z } from "zod";
import { ApiError, conflict, forbidden, methodNotAllowed, unprocessable } from "@/http-api/errors";
import { flag, text } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { cancelScheduledMerge, merge, rebaseMergeRequest } from "@/review/merge-requests/merge";
import type { InProject } from "@/workspace/api/places";
import type { DetailedMergeRequest } from "./entities/merge-request";
import { mergeRequestReference, type Reference, requireMergeRequest, withDetails } from "./merge-request";

export const mergeInput = mergeRequestReference.extend({
  sha: text(64).optional().describe("The head that you have seen; at another one nothing is merged."),
  squash: flag.optional(),
  should_remove_source_branch: flag.optional(),
  merge_commit_message: z.string().max(50_000).optional(),
  squash_commit_message: z.string().max(50_000).optional(),
  auto_merge: flag.optional().describe("Merges it as soon as it can be, where it cannot be yet."),
  merge_when_pipeline_succeeds: flag.optional().describe("The same, by its older name."),
});

/** @throws ApiError 403, 404, 405 where it cannot be merged, 409 for another head, 422 for conflicts. */
export async function mergeNow(
  deps: Deps,
  who: InProject,
  { iid, ...input }: z.infer<typeof mergeInput>,
): Promise<DetailedMergeRequest> {
  const outcome = await merge(deps, who, await requireMergeRequest(deps, who, { iid }), {
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
  return withDetails(deps, who, outcome);
}

/** @throws ApiError 403, 404, or 406 where it was not to be merged by itself. */
export async function cancelAutoMerge(
  deps: Deps,
  who: InProject,
  reference: Reference,
): Promise<DetailedMergeRequest> {
  const outcome = await cancelScheduledMerge(deps, who, await requireMergeRequest(deps, who, reference));
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "not_set") throw new ApiError(406, { message: "406 Not Acceptable" });
  return withDetails(deps, who, outcome);
}

/**
 * Puts the source branch on top of the target branch. Where that comes to nothing, the answer says why.
 * @throws ApiError 403, 404, 405 where it is not open, 409 where somebody has pushed meanwhile.
 */
export async function rebaseNow(
  deps: Deps,
  who: InProject,
  reference: Reference,
): Promise<Readonly<{ mergeError: string | null }>> {
  const outcome = await rebaseMergeRequest(deps, who, await requireMergeRequest(deps, who, reference));
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "not_open") throw methodNotAllowed();
  if (outcome === "moved") throw conflict("The source branch has been pushed to. Try again.");
  return typeof outcome === "string" ? requireMergeRequest(deps, who, reference) : { mergeError: null };
}
