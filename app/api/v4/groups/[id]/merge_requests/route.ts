import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequest } from "@/review/api/entities/merge-request";
import { listGroupMergeRequests, mergeRequestSearch } from "@/review/api/merge-request-list";
import { endpoint } from "@/server/rest-api";
import { openGroup } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the merge requests of a group",
  in: openGroup(),
  input: mergeRequestSearch,
  response: list(mergeRequest, { gitlabParameters: GITLAB_PARAMETERS.merge_requests }),
  run: listGroupMergeRequests,
});
export const OPTIONS = apiPreflight;
