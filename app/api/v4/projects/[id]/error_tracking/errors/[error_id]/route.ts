import { trackedErrorDetails as entity } from "@/error-tracking/api/entities/tracked-error";
import { changeError, errorChange, errorReference, readError } from "@/error-tracking/api/tracked-errors";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get a tracked error with its environments, releases and frequency",
  in: project({ atLeast: "reporter" }),
  input: errorReference,
  response: one(entity),
  run: readError,
});
export const PUT = endpoint({
  summary: "Resolve, ignore or reopen a tracked error",
  in: project({ atLeast: "developer" }),
  input: errorChange,
  response: one(entity),
  run: changeError,
});
export const OPTIONS = apiPreflight;
