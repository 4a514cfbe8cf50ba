import { administrator } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { featureDefinition } from "@/operations/api/entities/feature";
import { listDefinitions } from "@/operations/api/features";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List the definitions of all feature flags",
  in: administrator(),
  response: list(featureDefinition, { gitlabParameters: GITLAB_PARAMETERS.features }),
  run: listDefinitions,
});
export const OPTIONS = apiPreflight;
