import {
  approvalRuleChange,
  changeApprovalRule,
  readApprovalRule,
  removeApprovalRule,
  ruleReference,
} from "@/api/approvals";
import { apiPreflight } from "@/api/cors";
import { approvalRule as entity } from "@/api/entities/approval";
import { projectEndpoint } from "@/api/project-endpoint";

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
