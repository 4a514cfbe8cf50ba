import { administrator } from "@/http-api/access-rules";
import { list } from "@/http-api/answers";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { featureDefinition } from "@/operations/api/entities/feature";
import { listDefinitions } from "@/operations/api/features";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List the definitions of all feature flags",
  in: administrator(),
  answer: list(featureDefinition, { gitlabParameters: GITLAB_PARAMETERS.features }),
  run: listDefinitions,
});
export const OPTIONS = apiPreflight;
