import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { licenseApprovalPolicy as entity } from "@/review/api/entities/license";
import { createPolicy, listPolicies, newPolicy } from "@/review/api/licenses";
import { projectEndpoint, projectList } from "@/workspace/api/project-endpoint";

export const GET = projectList({
  summary: "The License Approval policies of a project: which licenses merge requests may bring in",
  gitlabParameters: GITLAB_PARAMETERS.none,
  role: "developer",
  run: listPolicies,
  entity,
});
export const POST = projectEndpoint({
  summary: "Makes a License Approval policy",
  role: "maintainer",
  input: newPolicy,
  example: { name: "Denied licenses", deny_list: "GPL-3.0-only" },
  status: 201,
  run: createPolicy,
  entity,
});
export const OPTIONS = apiPreflight;
