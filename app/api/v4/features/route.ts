import { administrator } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { feature } from "@/operations/api/entities/feature";
import { listFeatures } from "@/operations/api/features";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List the feature flags that differ from their defaults",
  in: administrator(),
  response: list(feature, { gitlabParameters: GITLAB_PARAMETERS.features }),
  run: listFeatures,
});
export const OPTIONS = apiPreflight;
