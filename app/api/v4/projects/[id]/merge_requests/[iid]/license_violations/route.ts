import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { licenseViolation } from "@/review/api/entities/license";
import { listViolations } from "@/review/api/licenses";
import { mergeRequestReference } from "@/review/api/merge-requests";
import { aboutCodeList } from "@/workspace/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "What the License Approval policies have against a merge request",
  gitlabParameters: GITLAB_PARAMETERS.none,
  input: mergeRequestReference,
  pagedBy: "number",
  run: listViolations,
  entity: licenseViolation,
});
export const OPTIONS = apiPreflight;
