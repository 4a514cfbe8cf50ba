import { apiPreflight } from "@/api/cors";
import { apiList } from "@/api/endpoint";
import { mergeRequest } from "@/api/entities/merge-request";
import { listAllMergeRequests, mergeRequestSearch } from "@/api/merge-requests";

export const GET = apiList({
  summary: "Your merge requests, or those of all projects whose code you may read",
  input: mergeRequestSearch,
  run: listAllMergeRequests,
  entity: mergeRequest,
});
export const OPTIONS = apiPreflight;
