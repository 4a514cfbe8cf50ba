import { protectedBranch as entity } from "@/code/api/entities/protected-branch";
import {
  listProtectedBranches,
  newProtectedBranch,
  protectBranch,
  protectedBranchSearch,
} from "@/code/api/protected-branches";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { aboutCodeList, projectEndpoint } from "@/workspace/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "The protected branches",
  gitlabParameters: GITLAB_PARAMETERS.protected_branches,
  input: protectedBranchSearch,
  pagedBy: "number",
  run: listProtectedBranches,
  entity,
});
export const POST = projectEndpoint({
  summary: "Protects a branch, or all branches that a wildcard matches",
  role: "maintainer",
  input: newProtectedBranch,
  status: 201,
  run: protectBranch,
  entity,
});
export const OPTIONS = apiPreflight;
