import { commit } from "@/code/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { listCommits, mergeRequestReference } from "@/review/api/merge-requests";
import { aboutCodeList } from "@/workspace/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "The commits of a merge request",
  gitlabParameters: GITLAB_PARAMETERS.merge_request_commits,
  input: mergeRequestReference,
  pagedBy: "number",
  run: listCommits,
  entity: commit,
});
export const OPTIONS = apiPreflight;
