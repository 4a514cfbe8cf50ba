import { errorTrackingClientKey as entity } from "@/error-tracking/api/entities/error-tracking";
import { createKey, listKeys } from "@/error-tracking/api/error-tracking";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the client keys that programs use to report errors to a project",
  in: project({ atLeast: "maintainer" }),
  response: list(entity, { gitlabParameters: GITLAB_PARAMETERS.client_keys }),
  run: listKeys,
});
export const POST = endpoint({
  summary: "Create a client key",
  in: project({ atLeast: "maintainer" }),
  response: one(entity, { status: 201 }),
  run: createKey,
});
export const OPTIONS = apiPreflight;
