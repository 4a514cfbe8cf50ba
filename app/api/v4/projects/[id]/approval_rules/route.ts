import { createApprovalRule, listApprovalRules, newApprovalRule } from "@/api/approvals";
import { apiPreflight } from "@/api/cors";
import { approvalRule as entity } from "@/api/entities/approval";
import { projectEndpoint, projectList } from "@/api/project-endpoint";

export const GET = projectList({
  summary: "The rules by which merge requests are approved",
  role: "developer",
  run: listApprovalRules,
  entity,
});
export const POST = projectEndpoint({
  summary: "Makes an approval rule",
  role: "maintainer",
  input: newApprovalRule,
  status: 201,
  run: createApprovalRule,
  entity,
});
export const OPTIONS = apiPreflight;
