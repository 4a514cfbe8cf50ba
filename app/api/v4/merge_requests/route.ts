import { apiPreflight } from "@/api/cors";
import { apiList } from "@/api/endpoint";
import { mergeRequest } from "@/api/entities/merge-request";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { listAllMergeRequests, mergeRequestSearch } from "@/api/merge-requests";

export const GET = apiList({
  summary: "Your merge requests, or those of all projects whose code you may read",
  gitlabParameters: GITLAB_PARAMETERS.merge_requests,
  input: mergeRequestSearch,
  run: listAllMergeRequests,
  entity: mergeRequest,
});
export const OPTIONS = apiPreflight;
