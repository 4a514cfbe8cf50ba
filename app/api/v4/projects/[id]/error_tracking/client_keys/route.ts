import { apiPreflight } from "@/api/cors";
import { errorTrackingClientKey as entity } from "@/api/entities/error-tracking";
import { createKey, listKeys } from "@/api/error-tracking";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { projectEndpoint, projectList } from "@/api/project-endpoint";

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
