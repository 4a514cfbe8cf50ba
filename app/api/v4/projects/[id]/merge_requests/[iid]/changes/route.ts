import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestChanges } from "@/review/api/entities/merge-request";
import { diffAsk, readChanges } from "@/review/api/merge-requests";
import { aboutCodeEndpoint } from "@/workspace/api/project-endpoint";

export const GET = aboutCodeEndpoint({
  summary: "A merge request with all that it changes",
  input: diffAsk,
  run: readChanges,
  entity: mergeRequestChanges,
});
export const OPTIONS = apiPreflight;
