import { apiPreflight } from "@/api/cors";
import { trackedErrorDetails as entity } from "@/api/entities/tracked-error";
import { projectEndpoint } from "@/api/project-endpoint";
import { changeError, errorChange, errorReference, readError } from "@/api/tracked-errors";

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
