import { one } from "@/http-api/answers";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestDetails } from "@/review/api/entities/merge-request";
import { mergeAsk, mergeNow } from "@/review/api/merge-requests";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/places";

export const PUT = endpoint({
  summary: "Merges a merge request",
  in: project({ atLeast: "developer" }),
  input: mergeAsk,
  answer: one(mergeRequestDetails),
  run: mergeNow,
});
export const OPTIONS = apiPreflight;
