import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequest, mergeRequestDetails } from "@/review/api/entities/merge-request";
import { createMergeRequest, newMergeRequest } from "@/review/api/merge-request-editing";
import { listMergeRequests, mergeRequestSearch } from "@/review/api/merge-request-list";
import { endpoint } from "@/server/rest-api";
import { code, project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the merge requests of a project",
  in: code(),
  input: mergeRequestSearch,
  response: list(mergeRequest, { gitlabParameters: GITLAB_PARAMETERS.merge_requests }),
  run: listMergeRequests,
});
export const POST = endpoint({
  summary: "Create a merge request",
  in: project({ atLeast: "developer" }),
  input: newMergeRequest,
  example: { source_branch: "topic", target_branch: "main", title: "Add a topic" },
  response: one(mergeRequestDetails, { status: 201 }),
  run: createMergeRequest,
});
export const OPTIONS = apiPreflight;
