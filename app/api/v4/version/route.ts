import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { version as entity } from "@/api/entities/metadata";

export const GET = apiEndpoint({
  summary: "The version of the instance",
  scopes: ["api", "read_api", "read_user"],
  run: () => null,
  entity,
});
export const OPTIONS = apiPreflight;
