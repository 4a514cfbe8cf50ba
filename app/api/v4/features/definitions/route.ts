import { apiPreflight } from "@/api/cors";
import { apiList } from "@/api/endpoint";
import { featureDefinition } from "@/api/entities/feature";
import { listDefinitions } from "@/api/features";

export const GET = apiList({
  summary: "Every feature that can be switched",
  role: "administrator",
  run: listDefinitions,
  entity: featureDefinition,
});
export const OPTIONS = apiPreflight;
