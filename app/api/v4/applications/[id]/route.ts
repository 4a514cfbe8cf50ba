import { apiEndpoint } from "@/http-api/endpoint";
import {
  applicationReference,
  changeApplicationScopes,
  deleteApplication,
  scopeChange,
} from "@/oauth/api/applications";
import { apiPreflight } from "@/oauth/api/cors";
import { application } from "@/oauth/api/entities/application";

export const PUT = apiEndpoint({
  summary: "Changes the scopes of an application of the instance",
  role: "administrator",
  input: scopeChange,
  run: changeApplicationScopes,
  entity: application,
});
export const DELETE = apiEndpoint({
  summary: "Removes an application of the instance, with its codes and tokens",
  role: "administrator",
  input: applicationReference,
  run: deleteApplication,
  entity: null,
});
export const OPTIONS = apiPreflight;
