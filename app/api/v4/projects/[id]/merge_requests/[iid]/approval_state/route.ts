import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { readApprovalState } from "@/review/api/approvals";
import { approvalStateOf } from "@/review/api/entities/approval";
import { mergeRequestReference } from "@/review/api/merge-request";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get the approval rules of a merge request and their approvals",
  in: project({ atLeast: "reporter" }),
  input: mergeRequestReference,
  response: one(approvalStateOf),
  run: readApprovalState,
});
export const OPTIONS = apiPreflight;
