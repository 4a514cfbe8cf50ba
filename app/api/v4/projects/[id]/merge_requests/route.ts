import { apiPreflight } from "@/api/cors";
import { mergeRequest, mergeRequestDetails } from "@/api/entities/merge-request";
import {
  createMergeRequest,
  listMergeRequests,
  mergeRequestSearch,
  newMergeRequest,
} from "@/api/merge-requests";
import { aboutCodeList, projectEndpoint } from "@/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "The merge requests",
  input: mergeRequestSearch,
  run: listMergeRequests,
  entity: mergeRequest,
});
export const POST = projectEndpoint({
  summary: "Opens a merge request",
  role: "developer",
  input: newMergeRequest,
  status: 201,
  run: createMergeRequest,
  entity: mergeRequestDetails,
});
export const OPTIONS = apiPreflight;
