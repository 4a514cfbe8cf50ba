import { apiPreflight } from "@/api/cors";
import { mergeRequestVersion } from "@/api/entities/merge-request";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { listVersions, mergeRequestReference } from "@/api/merge-requests";
import { aboutCodeList } from "@/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "The versions of a merge request",
  gitlabParameters: GITLAB_PARAMETERS.merge_request_versions,
  input: mergeRequestReference,
  run: listVersions,
  entity: mergeRequestVersion,
});
export const OPTIONS = apiPreflight;
