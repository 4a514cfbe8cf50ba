import { applicationReference, deleteApplication } from "@/api/applications";
import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";

export const DELETE = apiEndpoint({
  summary: "Removes an application of the instance, with its codes and tokens",
  role: "administrator",
  input: applicationReference,
  run: deleteApplication,
  entity: null,
});
export const OPTIONS = apiPreflight;
