import { apiPreflight } from "@/api/cors";
import { mergeRequestChanges } from "@/api/entities/merge-request";
import { diffAsk, readChanges } from "@/api/merge-requests";
import { aboutCodeEndpoint } from "@/api/project-endpoint";

export const GET = aboutCodeEndpoint({
  summary: "A merge request with all that it changes",
  input: diffAsk,
  run: readChanges,
  entity: mergeRequestChanges,
});
export const OPTIONS = apiPreflight;
