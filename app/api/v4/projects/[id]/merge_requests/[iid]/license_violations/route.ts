import { apiPreflight } from "@/api/cors";
import { licenseViolation } from "@/api/entities/license";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { listViolations } from "@/api/licenses";
import { mergeRequestReference } from "@/api/merge-requests";
import { aboutCodeList } from "@/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "What the License Approval policies have against a merge request",
  gitlabParameters: GITLAB_PARAMETERS.none,
  input: mergeRequestReference,
  pagedBy: "number",
  run: listViolations,
  entity: licenseViolation,
});
export const OPTIONS = apiPreflight;
