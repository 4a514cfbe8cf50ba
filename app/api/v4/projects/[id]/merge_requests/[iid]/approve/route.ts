import { apiPreflight } from "@/oauth/api/cors";
import { approvalAsk, approveMergeRequest } from "@/review/api/approvals";
import { mergeRequestApprovals } from "@/review/api/entities/approval";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

export const POST = projectEndpoint({
  summary: "Approves a merge request",
  role: "developer",
  input: approvalAsk,
  status: 201,
  run: approveMergeRequest,
  entity: mergeRequestApprovals,
});
export const OPTIONS = apiPreflight;
