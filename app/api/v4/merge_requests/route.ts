import { instance } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequest } from "@/review/api/entities/merge-request";
import { listAllMergeRequests, mergeRequestSearch } from "@/review/api/merge-request-list";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List your merge requests, or the merge requests of all projects whose code you can read",
  in: instance(),
  input: mergeRequestSearch,
  response: list(mergeRequest, { gitlabParameters: GITLAB_PARAMETERS.merge_requests }),
  run: listAllMergeRequests,
});
export const OPTIONS = apiPreflight;
