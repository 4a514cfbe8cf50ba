import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { licenseViolation } from "@/review/api/entities/license";
import { listViolations } from "@/review/api/licenses";
import { mergeRequestReference } from "@/review/api/merge-request";
import { endpoint } from "@/server/rest-api";
import { code } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the violations of License Approval policies in a merge request",
  in: code(),
  input: mergeRequestReference,
  response: list(licenseViolation, { gitlabParameters: GITLAB_PARAMETERS.none, pagedBy: "number" }),
  run: listViolations,
});
export const OPTIONS = apiPreflight;
