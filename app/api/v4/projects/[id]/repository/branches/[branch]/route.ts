import { repository } from "@/code/api/access-rules";
import { branch } from "@/code/api/entities/repository";
import { branchReference, readBranch, removeBranch } from "@/code/api/repository";
import { none, one } from "@/http-api/answers";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get a branch",
  in: repository(),
  input: branchReference,
  answer: one(branch),
  run: readBranch,
});
export const DELETE = endpoint({
  summary: "Delete a branch, except the default branch",
  in: project({ atLeast: "developer" }),
  input: branchReference,
  answer: none(),
  run: removeBranch,
});
export const OPTIONS = apiPreflight;
