import { errorTrackingClientKey } from "@/error-tracking/api/entities/error-tracking";
import { keyReference, removeKey } from "@/error-tracking/api/error-tracking";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const DELETE = endpoint({
  summary: "Delete a client key; the response contains the deleted key",
  in: project({ atLeast: "maintainer" }),
  input: keyReference,
  response: one(errorTrackingClientKey),
  run: removeKey,
});
export const OPTIONS = apiPreflight;
