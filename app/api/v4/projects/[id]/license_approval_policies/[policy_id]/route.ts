import { apiPreflight } from "@/oauth/api/cors";
import { licenseApprovalPolicy as entity } from "@/review/api/entities/license";
import { changePolicy, policyChange, policyReference, readPolicy, removePolicy } from "@/review/api/licenses";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

export const GET = projectEndpoint({
  summary: "A License Approval policy",
  role: "developer",
  input: policyReference,
  run: readPolicy,
  entity,
});
export const PUT = projectEndpoint({
  summary: "Changes a License Approval policy",
  role: "maintainer",
  input: policyChange,
  example: { enabled: false },
  run: changePolicy,
  entity,
});
export const DELETE = projectEndpoint({
  summary: "Removes a License Approval policy",
  role: "maintainer",
  input: policyReference,
  run: removePolicy,
  entity: null,
});
export const OPTIONS = apiPreflight;
