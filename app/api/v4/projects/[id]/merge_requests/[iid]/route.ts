import { one } from "@/http-api/answers";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestDetails } from "@/review/api/entities/merge-request";
import {
  changeMergeRequest,
  mergeRequestAsk,
  mergeRequestChange,
  readMergeRequest,
} from "@/review/api/merge-requests";
import { changeableMergeRequest } from "@/review/api/places";
import { endpoint } from "@/server/rest-api";
import { code } from "@/workspace/api/places";

export const GET = endpoint({
  summary: "One merge request, and whether it can be merged",
  in: code(),
  input: mergeRequestAsk,
  answer: one(mergeRequestDetails),
  run: readMergeRequest,
});
export const PUT = endpoint({
  summary: "Changes, closes or reopens a merge request",
  in: changeableMergeRequest(),
  input: mergeRequestChange,
  example: { title: "Another title" },
  answer: one(mergeRequestDetails),
  run: changeMergeRequest,
});
export const OPTIONS = apiPreflight;
