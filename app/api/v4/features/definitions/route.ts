import { apiPreflight } from "@/api/cors";
import { apiList } from "@/api/endpoint";
import { featureDefinition } from "@/api/entities/feature";
import { listDefinitions } from "@/api/features";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";

export const GET = apiList({
  summary: "Every feature that can be switched",
  gitlabParameters: GITLAB_PARAMETERS.features,
  role: "administrator",
  run: listDefinitions,
  entity: featureDefinition,
});
export const OPTIONS = apiPreflight;
