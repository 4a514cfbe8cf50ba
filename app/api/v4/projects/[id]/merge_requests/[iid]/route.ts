import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { changeableMergeRequest } from "@/review/api/access-rules";
import { mergeRequestDetails } from "@/review/api/entities/merge-request";
import { mergeRequestInput, readMergeRequest } from "@/review/api/merge-request";
import { changeMergeRequest, mergeRequestChange } from "@/review/api/merge-request-editing";
import { endpoint } from "@/server/rest-api";
import { code } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get a merge request and its merge status",
  in: code(),
  input: mergeRequestInput,
  response: one(mergeRequestDetails),
  run: readMergeRequest,
});
export const PUT = endpoint({
  summary: "Edit, close or reopen a merge request",
  in: changeableMergeRequest(),
  input: mergeRequestChange,
  example: { title: "Another title" },
  response: one(mergeRequestDetails),
  run: changeMergeRequest,
});
export const OPTIONS = apiPreflight;
