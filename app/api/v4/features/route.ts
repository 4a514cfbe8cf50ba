import { apiList } from "@/http-api/endpoint";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { feature } from "@/operations/api/entities/feature";
import { listFeatures } from "@/operations/api/features";

export const GET = apiList({
  summary: "The features that are on or off, other than by default",
  gitlabParameters: GITLAB_PARAMETERS.features,
  role: "administrator",
  run: listFeatures,
  entity: feature,
});
export const OPTIONS = apiPreflight;
