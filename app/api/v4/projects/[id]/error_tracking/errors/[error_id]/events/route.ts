import { apiPreflight } from "@/api/cors";
import { errorEvent } from "@/api/entities/tracked-error";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { projectList } from "@/api/project-endpoint";
import { errorReference, listEvents } from "@/api/tracked-errors";

export const GET = projectList({
  summary: "The newest events of an error",
  gitlabParameters: GITLAB_PARAMETERS.none,
  role: "reporter",
  input: errorReference,
  pagedBy: "number",
  run: listEvents,
  entity: errorEvent,
});
export const OPTIONS = apiPreflight;
