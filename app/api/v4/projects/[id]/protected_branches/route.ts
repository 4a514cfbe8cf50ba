import { apiPreflight } from "@/api/cors";
import { protectedBranch as entity } from "@/api/entities/protected-branch";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { aboutCodeList, projectEndpoint } from "@/api/project-endpoint";
import {
  listProtectedBranches,
  newProtectedBranch,
  protectBranch,
  protectedBranchSearch,
} from "@/api/protected-branches";

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
