import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { version as entity } from "@/api/entities/metadata";
import { reportedVersion } from "@/api/metadata";

export const GET = apiEndpoint({
  summary: "The version of the instance",
  scopes: ["api", "read_api", "read_user"],
  run: reportedVersion,
  entity,
});
export const OPTIONS = apiPreflight;
