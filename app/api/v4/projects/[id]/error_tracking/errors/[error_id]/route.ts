import { trackedErrorDetails as entity } from "@/error-tracking/api/entities/tracked-error";
import { changeError, errorChange, errorReference, readError } from "@/error-tracking/api/tracked-errors";
import { apiPreflight } from "@/oauth/api/cors";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

export const GET = projectEndpoint({
  summary: "One error, with where and how often it was seen",
  role: "reporter",
  input: errorReference,
  run: readError,
  entity,
});
export const PUT = projectEndpoint({
  summary: "Resolves an error, ignores it or opens it again",
  role: "developer",
  input: errorChange,
  run: changeError,
  entity,
});
export const OPTIONS = apiPreflight;
