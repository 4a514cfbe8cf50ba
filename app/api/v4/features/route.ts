import { apiPreflight } from "@/api/cors";
import { apiList } from "@/api/endpoint";
import { feature } from "@/api/entities/feature";
import { listFeatures } from "@/api/features";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";

export const GET = apiList({
  summary: "The features that are on or off, other than by default",
  gitlabParameters: GITLAB_PARAMETERS.features,
  role: "administrator",
  run: listFeatures,
  entity: feature,
});
export const OPTIONS = apiPreflight;
