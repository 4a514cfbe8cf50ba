import { apiPreflight } from "@/api/cors";
import { mergeRequest } from "@/api/entities/merge-request";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { listGroupMergeRequests, mergeRequestSearch } from "@/api/merge-requests";
import { openGroupList } from "@/api/project-endpoint";

export const GET = openGroupList({
  summary: "The merge requests of a group's projects",
  gitlabParameters: GITLAB_PARAMETERS.merge_requests,
  input: mergeRequestSearch,
  run: listGroupMergeRequests,
  entity: mergeRequest,
});
export const OPTIONS = apiPreflight;
