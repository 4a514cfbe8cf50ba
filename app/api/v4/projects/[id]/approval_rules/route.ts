import { createApprovalRule, listApprovalRules, newApprovalRule } from "@/api/approvals";
import { apiPreflight } from "@/api/cors";
import { approvalRule as entity } from "@/api/entities/approval";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { projectEndpoint, projectList } from "@/api/project-endpoint";

export const GET = projectList({
  summary: "The rules by which merge requests are approved",
  gitlabParameters: GITLAB_PARAMETERS.approval_rules,
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
