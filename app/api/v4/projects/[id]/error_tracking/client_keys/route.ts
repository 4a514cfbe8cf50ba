import { errorTrackingClientKey as entity } from "@/error-tracking/api/entities/error-tracking";
import { createKey, listKeys } from "@/error-tracking/api/error-tracking";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { projectEndpoint, projectList } from "@/workspace/api/project-endpoint";

const role = "maintainer";

export const GET = projectList({
  summary: "The keys with which programs report errors to the project",
  gitlabParameters: GITLAB_PARAMETERS.client_keys,
  role,
  run: listKeys,
  entity,
});
export const POST = projectEndpoint({
  summary: "Makes a client key",
  role,
  status: 201,
  run: createKey,
  entity,
});
export const OPTIONS = apiPreflight;
