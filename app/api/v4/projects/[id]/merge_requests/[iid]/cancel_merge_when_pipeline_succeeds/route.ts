import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestDetails } from "@/review/api/entities/merge-request";
import { mergeRequestReference, stopAutoMerge } from "@/review/api/merge-requests";
import { codeWriteEndpoint } from "@/workspace/api/project-endpoint";

export const POST = codeWriteEndpoint({
  summary: "Does not merge it automatically after all",
  role: "developer, or whoever opened it",
  input: mergeRequestReference,
  status: 201,
  run: stopAutoMerge,
  entity: mergeRequestDetails,
});
export const OPTIONS = apiPreflight;
