import { apiPreflight } from "@/api/cors";
import { commit } from "@/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { listCommits, mergeRequestReference } from "@/api/merge-requests";
import { aboutCodeList } from "@/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "The commits of a merge request",
  gitlabParameters: GITLAB_PARAMETERS.merge_request_commits,
  input: mergeRequestReference,
  pagedBy: "number",
  run: listCommits,
  entity: commit,
});
export const OPTIONS = apiPreflight;
