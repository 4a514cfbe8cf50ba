import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { createApprovalRule, listApprovalRules, newApprovalRule } from "@/review/api/approvals";
import { approvalRule as entity } from "@/review/api/entities/approval";
import { projectEndpoint, projectList } from "@/workspace/api/project-endpoint";

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
