import { apiList } from "@/http-api/endpoint";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequest } from "@/review/api/entities/merge-request";
import { listAllMergeRequests, mergeRequestSearch } from "@/review/api/merge-requests";

export const GET = apiList({
  summary: "Your merge requests, or those of all projects whose code you may read",
  gitlabParameters: GITLAB_PARAMETERS.merge_requests,
  input: mergeRequestSearch,
  run: listAllMergeRequests,
  entity: mergeRequest,
});
export const OPTIONS = apiPreflight;
