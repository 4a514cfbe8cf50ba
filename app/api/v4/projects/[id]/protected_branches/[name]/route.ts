import { protectedBranch as entity } from "@/code/api/entities/protected-branch";
import {
  changeProtection,
  protectedBranchReference,
  protectionChange,
  readProtectedBranch,
  unprotectBranch,
} from "@/code/api/protected-branches";
import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { code, project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get a protected branch by its name or wildcard",
  in: code(),
  input: protectedBranchReference,
  response: one(entity),
  run: readProtectedBranch,
});
export const PATCH = endpoint({
  summary: "Edit the protection of a branch",
  in: project({ atLeast: "maintainer" }),
  input: protectionChange,
  example: { allow_force_push: false },
  response: one(entity),
  run: changeProtection,
});
export const DELETE = endpoint({
  summary: "Unprotect a branch",
  in: project({ atLeast: "maintainer" }),
  input: protectedBranchReference,
  response: none(),
  run: unprotectBranch,
});
export const OPTIONS = apiPreflight;
