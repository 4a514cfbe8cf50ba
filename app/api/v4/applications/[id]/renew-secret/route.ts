import { applicationReference, renewApplicationSecret } from "@/api/applications";
import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { applicationWithSecret } from "@/api/entities/application";

export const POST = apiEndpoint({
  summary: "Puts a new secret in the place of an application's old ones",
  role: "administrator",
  input: applicationReference,
  status: 201,
  run: renewApplicationSecret,
  entity: applicationWithSecret,
});
export const OPTIONS = apiPreflight;
