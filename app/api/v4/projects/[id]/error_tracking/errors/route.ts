import { apiPreflight } from "@/api/cors";
import { trackedError } from "@/api/entities/tracked-error";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { projectList } from "@/api/project-endpoint";
import { errorSearch, listErrors } from "@/api/tracked-errors";

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
