import { apiEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";
import { metadata as entity } from "@/operations/api/entities/metadata";
import { reportedVersion } from "@/operations/api/metadata";

export const GET = apiEndpoint({
  summary: "The version of the instance, and which parts it has",
  scopes: ["api", "read_api", "read_user"],
  run: reportedVersion,
  entity,
});
export const OPTIONS = apiPreflight;
