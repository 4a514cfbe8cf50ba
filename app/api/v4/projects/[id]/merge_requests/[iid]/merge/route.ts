import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestDetails } from "@/review/api/entities/merge-request";
import { mergeInput, mergeNow } from "@/review/api/merge";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const PUT = endpoint({
  summary: "Merge a merge request",
  in: project({ atLeast: "developer" }),
  input: mergeInput,
  response: one(mergeRequestDetails),
  run: mergeNow,
});
export const OPTIONS = apiPreflight;
