import { apiList } from "@/http-api/endpoint";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { featureDefinition } from "@/operations/api/entities/feature";
import { listDefinitions } from "@/operations/api/features";

export const GET = apiList({
  summary: "Every feature that can be switched",
  gitlabParameters: GITLAB_PARAMETERS.features,
  role: "administrator",
  run: listDefinitions,
  entity: featureDefinition,
});
export const OPTIONS = apiPreflight;
