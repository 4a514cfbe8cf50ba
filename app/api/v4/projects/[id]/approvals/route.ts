import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import {
  approvalConfigurationChange,
  changeApprovalConfiguration,
  readApprovalConfiguration,
} from "@/review/api/approvals";
import { approvalConfiguration } from "@/review/api/entities/approval";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get the approval settings of a project",
  in: project({ atLeast: "maintainer" }),
  response: one(approvalConfiguration),
  run: readApprovalConfiguration,
});
export const POST = endpoint({
  summary: "Edit the approval settings of a project",
  in: project({ atLeast: "maintainer" }),
  input: approvalConfigurationChange,
  example: { approvals_before_merge: 2 },
  response: one(approvalConfiguration, { status: 201 }),
  run: changeApprovalConfiguration,
});
export const OPTIONS = apiPreflight;
