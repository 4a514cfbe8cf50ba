import { commit } from "@/code/api/entities/repository";
import { commitReference, readOneCommit } from "@/code/api/repository";
import { apiPreflight } from "@/oauth/api/cors";
import { codeEndpoint } from "@/workspace/api/project-endpoint";

export const GET = codeEndpoint({
  summary: "A commit",
  input: commitReference,
  run: readOneCommit,
  entity: commit,
});
export const OPTIONS = apiPreflight;
