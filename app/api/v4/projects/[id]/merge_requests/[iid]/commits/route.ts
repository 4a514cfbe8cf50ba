import { commit } from "@/code/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestReference } from "@/review/api/merge-request";
import { listCommits } from "@/review/api/merge-request-changes";
import { endpoint } from "@/server/rest-api";
import { code } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the commits of a merge request",
  in: code(),
  input: mergeRequestReference,
  response: list(commit, { gitlabParameters: GITLAB_PARAMETERS.merge_request_commits, pagedBy: "number" }),
  run: listCommits,
});
export const OPTIONS = apiPreflight;
