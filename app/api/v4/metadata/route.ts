import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { metadata as entity } from "@/api/entities/metadata";
import { reportedVersion } from "@/api/metadata";

export const GET = apiEndpoint({
  summary: "The version of the instance, and which parts it has",
  scopes: ["api", "read_api", "read_user"],
  run: reportedVersion,
  entity,
});
export const OPTIONS = apiPreflight;
