import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { approvalInput, approveMergeRequest } from "@/review/api/approvals";
import { mergeRequestApprovals } from "@/review/api/entities/approval";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const POST = endpoint({
  summary: "Approve a merge request",
  in: project({ atLeast: "developer" }),
  input: approvalInput,
  response: one(mergeRequestApprovals, { status: 201 }),
  run: approveMergeRequest,
});
export const OPTIONS = apiPreflight;
