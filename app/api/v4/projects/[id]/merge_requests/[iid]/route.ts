import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestDetails } from "@/review/api/entities/merge-request";
import {
  changeMergeRequest,
  mergeRequestAsk,
  mergeRequestChange,
  readMergeRequest,
} from "@/review/api/merge-requests";
import { aboutCodeEndpoint, codeWriteEndpoint } from "@/workspace/api/project-endpoint";

export const GET = aboutCodeEndpoint({
  summary: "One merge request, and whether it can be merged",
  input: mergeRequestAsk,
  run: readMergeRequest,
  entity: mergeRequestDetails,
});
export const PUT = codeWriteEndpoint({
  summary: "Changes, closes or reopens a merge request",
  role: "developer, or whoever opened it",
  input: mergeRequestChange,
  example: { title: "Another title" },
  run: changeMergeRequest,
  entity: mergeRequestDetails,
});
export const OPTIONS = apiPreflight;
