import {
  approvalConfigurationChange,
  changeApprovalConfiguration,
  readApprovalConfiguration,
} from "@/api/approvals";
import { apiPreflight } from "@/api/cors";
import { approvalConfiguration } from "@/api/entities/approval";
import { projectEndpoint } from "@/api/project-endpoint";

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
