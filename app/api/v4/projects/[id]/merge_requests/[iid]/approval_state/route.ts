import { readApprovalState } from "@/api/approvals";
import { apiPreflight } from "@/api/cors";
import { approvalStateOf } from "@/api/entities/approval";
import { mergeRequestReference } from "@/api/merge-requests";
import { projectEndpoint } from "@/api/project-endpoint";

export const GET = projectEndpoint({
  summary: "The approvals of a merge request by the rules of its project",
  role: "reporter",
  input: mergeRequestReference,
  run: readApprovalState,
  entity: approvalStateOf,
});
export const OPTIONS = apiPreflight;
