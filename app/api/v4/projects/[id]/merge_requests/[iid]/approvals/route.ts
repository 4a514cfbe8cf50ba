import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { readApprovals } from "@/review/api/approvals";
import { mergeRequestApprovals } from "@/review/api/entities/approval";
import { mergeRequestReference } from "@/review/api/merge-request";
import { endpoint } from "@/server/rest-api";
import { code } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get the approvals of a merge request",
  in: code(),
  input: mergeRequestReference,
  response: one(mergeRequestApprovals),
  run: readApprovals,
});
export const OPTIONS = apiPreflight;
