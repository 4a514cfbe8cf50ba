import { protectedBranch as entity } from "@/code/api/entities/protected-branch";
import {
  changeProtection,
  protectedBranchReference,
  protectionChange,
  readProtectedBranch,
  unprotectBranch,
} from "@/code/api/protected-branches";
import { apiPreflight } from "@/oauth/api/cors";
import { aboutCodeEndpoint, projectEndpoint } from "@/workspace/api/project-endpoint";

const role = "maintainer";

export const GET = aboutCodeEndpoint({
  summary: "A protected branch, by its name or wildcard",
  input: protectedBranchReference,
  run: readProtectedBranch,
  entity,
});
export const PATCH = projectEndpoint({
  summary: "Changes the protection of a branch",
  role,
  input: protectionChange,
  example: { allow_force_push: false },
  run: changeProtection,
  entity,
});
export const DELETE = projectEndpoint({
  summary: "Unprotects a branch",
  role,
  input: protectedBranchReference,
  run: unprotectBranch,
  entity: null,
});
export const OPTIONS = apiPreflight;
