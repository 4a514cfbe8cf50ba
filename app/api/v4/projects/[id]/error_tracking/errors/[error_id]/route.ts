import { trackedErrorDetails as entity } from "@/error-tracking/api/entities/tracked-error";
import { changeError, errorChange, errorReference, readError } from "@/error-tracking/api/tracked-errors";
import { one } from "@/http-api/answers";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/places";

export const GET = endpoint({
  summary: "One error, with where and how often it was seen",
  in: project({ atLeast: "reporter" }),
  input: errorReference,
  answer: one(entity),
  run: readError,
});
export const PUT = endpoint({
  summary: "Resolves an error, ignores it or opens it again",
  in: project({ atLeast: "developer" }),
  input: errorChange,
  answer: one(entity),
  run: changeError,
});
export const OPTIONS = apiPreflight;
