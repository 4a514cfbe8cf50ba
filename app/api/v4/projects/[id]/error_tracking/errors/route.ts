import { trackedError } from "@/error-tracking/api/entities/tracked-error";
import { errorSearch, listErrors } from "@/error-tracking/api/tracked-errors";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { projectList } from "@/workspace/api/project-endpoint";

export const GET = projectList({
  summary: "The errors that programs reported to the project",
  gitlabParameters: GITLAB_PARAMETERS.none,
  role: "reporter",
  input: errorSearch,
  pagedBy: "number",
  run: listErrors,
  entity: trackedError,
});
export const OPTIONS = apiPreflight;
