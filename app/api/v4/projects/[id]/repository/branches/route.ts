import { repository } from "@/code/api/access-rules";
import { branchSearch, createBranch, listBranches, newBranch } from "@/code/api/branches";
import { branch } from "@/code/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List branches",
  in: repository(),
  input: branchSearch,
  response: list(branch, { gitlabParameters: GITLAB_PARAMETERS.branches, pagedBy: "token" }),
  run: listBranches,
});
export const POST = endpoint({
  summary: "Create a branch",
  in: project({ atLeast: "developer" }),
  input: newBranch,
  example: { branch: "feature", ref: "main" },
  response: one(branch, { status: 201 }),
  run: createBranch,
});
export const OPTIONS = apiPreflight;
