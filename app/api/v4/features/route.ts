import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { feature } from "@/api/entities/feature";
import { listFeatures } from "@/api/features";

export const GET = apiEndpoint({
  role: "administrator",
  scopes: ["api", "read_api"],
  run: listFeatures,
  entity: (features) => features.map(feature),
});
export const OPTIONS = apiPreflight;
