import { one } from "@/http-api/answers";
import { apiPreflight } from "@/oauth/api/cors";
import { approvalInput, approveMergeRequest } from "@/review/api/approvals";
import { mergeRequestApprovals } from "@/review/api/entities/approval";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const POST = endpoint({
  summary: "Approve a merge request",
  in: project({ atLeast: "developer" }),
  input: approvalInput,
  answer: one(mergeRequestApprovals, { status: 201 }),
  run: approveMergeRequest,
});
export const OPTIONS = apiPreflight;
