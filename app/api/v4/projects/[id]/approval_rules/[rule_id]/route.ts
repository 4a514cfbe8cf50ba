import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import {
  approvalRuleChange,
  changeApprovalRule,
  readApprovalRule,
  removeApprovalRule,
  ruleReference,
} from "@/review/api/approvals";
import { approvalRule as entity } from "@/review/api/entities/approval";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get an approval rule",
  in: project({ atLeast: "developer" }),
  input: ruleReference,
  response: one(entity),
  run: readApprovalRule,
});
export const PUT = endpoint({
  summary: "Edit an approval rule",
  in: project({ atLeast: "maintainer" }),
  input: approvalRuleChange,
  response: one(entity),
  run: changeApprovalRule,
});
export const DELETE = endpoint({
  summary: "Delete an approval rule",
  in: project({ atLeast: "maintainer" }),
  input: ruleReference,
  response: none(),
  run: removeApprovalRule,
});
export const OPTIONS = apiPreflight;
