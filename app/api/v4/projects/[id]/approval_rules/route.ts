import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { createApprovalRule, listApprovalRules, newApprovalRule } from "@/review/api/approvals";
import { approvalRule as entity } from "@/review/api/entities/approval";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the approval rules of a project",
  in: project({ atLeast: "developer" }),
  response: list(entity, { gitlabParameters: GITLAB_PARAMETERS.approval_rules }),
  run: listApprovalRules,
});
export const POST = endpoint({
  summary: "Create an approval rule",
  in: project({ atLeast: "maintainer" }),
  input: newApprovalRule,
  response: one(entity, { status: 201 }),
  run: createApprovalRule,
});
export const OPTIONS = apiPreflight;
