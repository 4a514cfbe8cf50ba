import { approvalAsk, approveMergeRequest } from "@/api/approvals";
import { apiPreflight } from "@/api/cors";
import { mergeRequestApprovals } from "@/api/entities/approval";
import { projectEndpoint } from "@/api/project-endpoint";

export const POST = projectEndpoint({
  summary: "Approves a merge request",
  role: "developer",
  input: approvalAsk,
  status: 201,
  run: approveMergeRequest,
  entity: mergeRequestApprovals,
});
export const OPTIONS = apiPreflight;
