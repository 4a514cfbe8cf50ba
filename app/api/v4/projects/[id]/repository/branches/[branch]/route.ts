import { repository } from "@/code/api/access-rules";
import { branchReference, readBranch, removeBranch } from "@/code/api/branches";
import { branch } from "@/code/api/entities/repository";
import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get a branch",
  in: repository(),
  input: branchReference,
  response: one(branch),
  run: readBranch,
});
export const DELETE = endpoint({
  summary: "Delete a branch, except the default branch",
  in: project({ atLeast: "developer" }),
  input: branchReference,
  response: none(),
  run: removeBranch,
});
export const OPTIONS = apiPreflight;
