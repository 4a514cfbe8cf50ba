import { protectedBranch as entity } from "@/code/api/entities/protected-branch";
import {
  listProtectedBranches,
  newProtectedBranch,
  protectBranch,
  protectedBranchSearch,
} from "@/code/api/protected-branches";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { code, project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List protected branches",
  in: code(),
  input: protectedBranchSearch,
  response: list(entity, { gitlabParameters: GITLAB_PARAMETERS.protected_branches, pagedBy: "number" }),
  run: listProtectedBranches,
});
export const POST = endpoint({
  summary: "Protect a branch, or all branches that match a wildcard",
  in: project({ atLeast: "maintainer" }),
  input: newProtectedBranch,
  response: one(entity, { status: 201 }),
  run: protectBranch,
});
export const OPTIONS = apiPreflight;
