import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { licenseApprovalPolicy as entity } from "@/review/api/entities/license";
import { changePolicy, policyChange, policyReference, readPolicy, removePolicy } from "@/review/api/licenses";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get a License Approval policy",
  in: project({ atLeast: "developer" }),
  input: policyReference,
  response: one(entity),
  run: readPolicy,
});
export const PUT = endpoint({
  summary: "Edit a License Approval policy",
  in: project({ atLeast: "maintainer" }),
  input: policyChange,
  example: { enabled: false },
  response: one(entity),
  run: changePolicy,
});
export const DELETE = endpoint({
  summary: "Delete a License Approval policy",
  in: project({ atLeast: "maintainer" }),
  input: policyReference,
  response: none(),
  run: removePolicy,
});
export const OPTIONS = apiPreflight;
