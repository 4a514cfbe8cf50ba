import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestVersion } from "@/review/api/entities/merge-request";
import { mergeRequestReference } from "@/review/api/merge-request";
import { listVersions } from "@/review/api/merge-request-changes";
import { endpoint } from "@/server/rest-api";
import { code } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the diff versions of a merge request",
  in: code(),
  input: mergeRequestReference,
  response: list(mergeRequestVersion, { gitlabParameters: GITLAB_PARAMETERS.merge_request_versions }),
  run: listVersions,
});
export const OPTIONS = apiPreflight;
