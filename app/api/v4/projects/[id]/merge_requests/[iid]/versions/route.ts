import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestVersion } from "@/review/api/entities/merge-request";
import { listVersions, mergeRequestReference } from "@/review/api/merge-requests";
import { aboutCodeList } from "@/workspace/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "The versions of a merge request",
  gitlabParameters: GITLAB_PARAMETERS.merge_request_versions,
  input: mergeRequestReference,
  run: listVersions,
  entity: mergeRequestVersion,
});
export const OPTIONS = apiPreflight;
