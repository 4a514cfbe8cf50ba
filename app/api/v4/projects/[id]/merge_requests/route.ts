import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequest, mergeRequestDetails } from "@/review/api/entities/merge-request";
import {
  createMergeRequest,
  listMergeRequests,
  mergeRequestSearch,
  newMergeRequest,
} from "@/review/api/merge-requests";
import { aboutCodeList, projectEndpoint } from "@/workspace/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "The merge requests",
  gitlabParameters: GITLAB_PARAMETERS.merge_requests,
  input: mergeRequestSearch,
  run: listMergeRequests,
  entity: mergeRequest,
});
export const POST = projectEndpoint({
  summary: "Opens a merge request",
  role: "developer",
  input: newMergeRequest,
  example: { source_branch: "topic", target_branch: "main", title: "Add a topic" },
  status: 201,
  run: createMergeRequest,
  entity: mergeRequestDetails,
});
export const OPTIONS = apiPreflight;
