import { apiPreflight } from "@/api/cors";
import { errorTrackingClientKey } from "@/api/entities/error-tracking";
import { keyReference, removeKey } from "@/api/error-tracking";
import { projectEndpoint } from "@/api/project-endpoint";

export const DELETE = projectEndpoint({
  summary: "Removes a client key and answers it",
  role: "maintainer",
  input: keyReference,
  run: removeKey,
  entity: errorTrackingClientKey,
});
export const OPTIONS = apiPreflight;
