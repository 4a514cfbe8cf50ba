import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { feature } from "@/api/entities/feature";
import { featureName, featureSwitch, resetFeature, switchFeature } from "@/api/features";

const role = "administrator";
const scopes = ["api"] as const;

export const POST = apiEndpoint({
  role,
  scopes,
  input: featureSwitch,
  status: 201,
  run: switchFeature,
  entity: feature,
});
export const DELETE = apiEndpoint({ role, scopes, input: featureName, run: resetFeature, entity: null });
export const OPTIONS = apiPreflight;
