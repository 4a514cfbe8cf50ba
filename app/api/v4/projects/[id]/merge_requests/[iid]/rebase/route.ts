import { apiPreflight } from "@/oauth/api/cors";
import { rebaseState } from "@/review/api/entities/merge-request";
import { mergeRequestReference, rebaseNow } from "@/review/api/merge-requests";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

export const PUT = projectEndpoint({
  summary: "Puts the source branch on top of the target branch",
  role: "developer",
  input: mergeRequestReference,
  status: 202,
  run: rebaseNow,
  entity: rebaseState,
});
export const OPTIONS = apiPreflight;
