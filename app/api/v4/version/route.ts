import { instance } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { version as entity } from "@/operations/api/entities/metadata";
import { reportedVersion } from "@/operations/api/metadata";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get the version of the instance",
  in: instance(),
  scopes: ["api", "read_api", "read_user"],
  response: one(entity),
  run: reportedVersion,
});
export const OPTIONS = apiPreflight;
