import { apiPreflight } from "@/api/cors";
import { branch } from "@/api/entities/repository";
import { codeEndpoint, projectEndpoint } from "@/api/project-endpoint";
import { branchReference, readBranch, removeBranch } from "@/api/repository";

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
