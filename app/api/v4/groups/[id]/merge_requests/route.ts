import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequest } from "@/review/api/entities/merge-request";
import { listGroupMergeRequests, mergeRequestSearch } from "@/review/api/merge-requests";
import { openGroupList } from "@/workspace/api/project-endpoint";

export const GET = openGroupList({
  summary: "The merge requests of a group's projects",
  gitlabParameters: GITLAB_PARAMETERS.merge_requests,
  input: mergeRequestSearch,
  run: listGroupMergeRequests,
  entity: mergeRequest,
});
export const OPTIONS = apiPreflight;
