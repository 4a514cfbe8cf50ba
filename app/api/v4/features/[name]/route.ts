import { administrator } from "@/http-api/access-rules";
import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { feature } from "@/operations/api/entities/feature";
import { featureName, featureSwitch, resetFeature, switchFeature } from "@/operations/api/features";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Enable or disable a feature flag",
  in: administrator(),
  input: featureSwitch,
  response: one(feature, { status: 201 }),
  run: switchFeature,
});
export const DELETE = endpoint({
  summary: "Reset a feature flag to its default",
  in: administrator(),
  input: featureName,
  response: none(),
  run: resetFeature,
});
export const OPTIONS = apiPreflight;
