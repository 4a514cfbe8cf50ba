import { errorTrackingClientKey } from "@/error-tracking/api/entities/error-tracking";
import { keyReference, removeKey } from "@/error-tracking/api/error-tracking";
import { apiPreflight } from "@/oauth/api/cors";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

export const DELETE = projectEndpoint({
  summary: "Removes a client key and answers it",
  role: "maintainer",
  input: keyReference,
  run: removeKey,
  entity: errorTrackingClientKey,
});
export const OPTIONS = apiPreflight;
