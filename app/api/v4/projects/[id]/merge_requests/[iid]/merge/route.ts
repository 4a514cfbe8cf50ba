import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestDetails } from "@/review/api/entities/merge-request";
import { mergeAsk, mergeNow } from "@/review/api/merge-requests";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

export const PUT = projectEndpoint({
  summary: "Merges a merge request",
  role: "developer",
  input: mergeAsk,
  run: mergeNow,
  entity: mergeRequestDetails,
});
export const OPTIONS = apiPreflight;
