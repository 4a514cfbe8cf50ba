import { apiEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";
import { feature } from "@/operations/api/entities/feature";
import { featureName, featureSwitch, resetFeature, switchFeature } from "@/operations/api/features";

const role = "administrator";

export const POST = apiEndpoint({
  summary: "Switches a feature on or off",
  role,
  input: featureSwitch,
  status: 201,
  run: switchFeature,
  entity: feature,
});
export const DELETE = apiEndpoint({
  summary: "Puts a feature back to its default",
  role,
  input: featureName,
  run: resetFeature,
  entity: null,
});
export const OPTIONS = apiPreflight;
