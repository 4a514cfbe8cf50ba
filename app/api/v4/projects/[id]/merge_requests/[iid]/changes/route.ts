import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestChanges } from "@/review/api/entities/merge-request";
import { diffInput, readChanges } from "@/review/api/merge-request-changes";
import { endpoint } from "@/server/rest-api";
import { code } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get a merge request with its changes",
  in: code(),
  input: diffInput,
  response: one(mergeRequestChanges),
  run: readChanges,
});
export const OPTIONS = apiPreflight;
