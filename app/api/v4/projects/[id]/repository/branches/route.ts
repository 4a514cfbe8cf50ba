import { apiPreflight } from "@/api/cors";
import { branch } from "@/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { codeList, projectEndpoint } from "@/api/project-endpoint";
import { branchSearch, createBranch, listBranches, newBranch } from "@/api/repository";

export const GET = codeList({
  summary: "The branches",
  gitlabParameters: GITLAB_PARAMETERS.branches,
  input: branchSearch,
  pagedBy: "token",
  run: listBranches,
  entity: branch,
});
export const POST = projectEndpoint({
  summary: "Makes a branch",
  role: "developer",
  input: newBranch,
  example: { branch: "feature", ref: "main" },
  status: 201,
  run: createBranch,
  entity: branch,
});
export const OPTIONS = apiPreflight;
