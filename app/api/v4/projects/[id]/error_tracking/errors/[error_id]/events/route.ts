import { errorEvent } from "@/error-tracking/api/entities/tracked-error";
import { errorReference, listEvents } from "@/error-tracking/api/tracked-errors";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the newest events of a tracked error",
  in: project({ atLeast: "reporter" }),
  input: errorReference,
  response: list(errorEvent, { gitlabParameters: GITLAB_PARAMETERS.none, pagedBy: "number" }),
  run: listEvents,
});
export const OPTIONS = apiPreflight;
