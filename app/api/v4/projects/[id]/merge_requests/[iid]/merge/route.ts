import { apiPreflight } from "@/api/cors";
import { mergeRequestDetails } from "@/api/entities/merge-request";
import { mergeAsk, mergeNow } from "@/api/merge-requests";
import { projectEndpoint } from "@/api/project-endpoint";

export const PUT = projectEndpoint({
  summary: "Merges a merge request",
  role: "developer",
  input: mergeAsk,
  run: mergeNow,
  entity: mergeRequestDetails,
});
export const OPTIONS = apiPreflight;
