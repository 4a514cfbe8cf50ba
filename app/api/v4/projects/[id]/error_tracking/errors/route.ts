import { trackedError } from "@/error-tracking/api/entities/tracked-error";
import { errorSearch, listErrors } from "@/error-tracking/api/tracked-errors";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the tracked errors of a project",
  in: project({ atLeast: "reporter" }),
  input: errorSearch,
  response: list(trackedError, { gitlabParameters: GITLAB_PARAMETERS.none, pagedBy: "number" }),
  run: listErrors,
});
export const OPTIONS = apiPreflight;
