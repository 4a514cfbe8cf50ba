import { apiPreflight } from "@/oauth/api/cors";
import { readApprovalState } from "@/review/api/approvals";
import { approvalStateOf } from "@/review/api/entities/approval";
import { mergeRequestReference } from "@/review/api/merge-requests";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

export const GET = projectEndpoint({
  summary: "The approvals of a merge request by the rules of its project",
  role: "reporter",
  input: mergeRequestReference,
  run: readApprovalState,
  entity: approvalStateOf,
});
export const OPTIONS = apiPreflight;
