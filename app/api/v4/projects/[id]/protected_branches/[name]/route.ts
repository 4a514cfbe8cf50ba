import { apiPreflight } from "@/api/cors";
import { protectedBranch as entity } from "@/api/entities/protected-branch";
import { aboutCodeEndpoint, projectEndpoint } from "@/api/project-endpoint";
import {
  changeProtection,
  protectedBranchReference,
  protectionChange,
  readProtectedBranch,
  unprotectBranch,
} from "@/api/protected-branches";

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
