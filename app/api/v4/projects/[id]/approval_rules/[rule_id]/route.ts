import { apiPreflight } from "@/oauth/api/cors";
import {
  approvalRuleChange,
  changeApprovalRule,
  readApprovalRule,
  removeApprovalRule,
  ruleReference,
} from "@/review/api/approvals";
import { approvalRule as entity } from "@/review/api/entities/approval";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

const role = "maintainer";

export const GET = projectEndpoint({
  summary: "An approval rule",
  role: "developer",
  input: ruleReference,
  run: readApprovalRule,
  entity,
});
export const PUT = projectEndpoint({
  summary: "Changes an approval rule",
  role,
  input: approvalRuleChange,
  run: changeApprovalRule,
  entity,
});
export const DELETE = projectEndpoint({
  summary: "Removes an approval rule",
  role,
  input: ruleReference,
  run: removeApprovalRule,
  entity: null,
});
export const OPTIONS = apiPreflight;
