import {
  applicationReference,
  changeApplicationScopes,
  deleteApplication,
  scopeChange,
} from "@/api/applications";
import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { application } from "@/api/entities/application";

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
