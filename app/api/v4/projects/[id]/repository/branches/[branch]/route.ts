import { branch } from "@/code/api/entities/repository";
import { branchReference, readBranch, removeBranch } from "@/code/api/repository";
import { apiPreflight } from "@/oauth/api/cors";
import { codeEndpoint, projectEndpoint } from "@/workspace/api/project-endpoint";

export const GET = codeEndpoint({
  summary: "A branch",
  input: branchReference,
  run: readBranch,
  entity: branch,
});
export const DELETE = projectEndpoint({
  summary: "Removes a branch, other than the default one",
  role: "developer",
  input: branchReference,
  run: removeBranch,
  entity: null,
});
export const OPTIONS = apiPreflight;
