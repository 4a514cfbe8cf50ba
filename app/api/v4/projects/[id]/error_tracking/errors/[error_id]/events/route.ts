import { errorEvent } from "@/error-tracking/api/entities/tracked-error";
import { errorReference, listEvents } from "@/error-tracking/api/tracked-errors";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { projectList } from "@/workspace/api/project-endpoint";

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
