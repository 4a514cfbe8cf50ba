import { apiPreflight } from "@/api/cors";
import { licenseApprovalPolicy as entity } from "@/api/entities/license";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { createPolicy, listPolicies, newPolicy } from "@/api/licenses";
import { projectEndpoint, projectList } from "@/api/project-endpoint";

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
