import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { licenseApprovalPolicy as entity } from "@/review/api/entities/license";
import { createPolicy, listPolicies, newPolicy } from "@/review/api/licenses";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the License Approval policies of a project",
  in: project({ atLeast: "developer" }),
  response: list(entity, { gitlabParameters: GITLAB_PARAMETERS.none }),
  run: listPolicies,
});
export const POST = endpoint({
  summary: "Create a License Approval policy",
  in: project({ atLeast: "maintainer" }),
  input: newPolicy,
  example: { name: "Denied licenses", deny_list: "GPL-3.0-only" },
  response: one(entity, { status: 201 }),
  run: createPolicy,
});
export const OPTIONS = apiPreflight;
