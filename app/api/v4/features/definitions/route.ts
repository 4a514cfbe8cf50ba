import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { featureDefinition } from "@/api/entities/feature";
import { listDefinitions } from "@/api/features";

export const GET = apiEndpoint({
  role: "administrator",
  scopes: ["api", "read_api"],
  run: listDefinitions,
  entity: (names) => names.map(featureDefinition),
});
export const OPTIONS = apiPreflight;
