import { apiEndpoint } from "@/http-api/endpoint";
import { applicationReference, renewApplicationSecret } from "@/oauth/api/applications";
import { apiPreflight } from "@/oauth/api/cors";
import { applicationWithSecret } from "@/oauth/api/entities/application";

export const POST = apiEndpoint({
  summary: "Puts a new secret in the place of an application's old ones",
  role: "administrator",
  input: applicationReference,
  status: 201,
  run: renewApplicationSecret,
  entity: applicationWithSecret,
});
export const OPTIONS = apiPreflight;
