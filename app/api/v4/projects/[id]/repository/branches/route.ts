import { branch } from "@/code/api/entities/repository";
import { branchSearch, createBranch, listBranches, newBranch } from "@/code/api/repository";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { codeList, projectEndpoint } from "@/workspace/api/project-endpoint";

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
