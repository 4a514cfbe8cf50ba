import { apiPreflight } from "@/oauth/api/cors";
import {
  approvalConfigurationChange,
  changeApprovalConfiguration,
  readApprovalConfiguration,
} from "@/review/api/approvals";
import { approvalConfiguration } from "@/review/api/entities/approval";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

export const GET = projectEndpoint({
  summary: "How merge requests are approved",
  role: "maintainer",
  run: readApprovalConfiguration,
  entity: approvalConfiguration,
});
export const POST = projectEndpoint({
  summary: "Changes how merge requests are approved",
  role: "maintainer",
  input: approvalConfigurationChange,
  example: { approvals_before_merge: 2 },
  status: 201,
  run: changeApprovalConfiguration,
  entity: approvalConfiguration,
});
export const OPTIONS = apiPreflight;
