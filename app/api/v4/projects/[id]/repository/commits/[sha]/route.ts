import { apiPreflight } from "@/api/cors";
import { commit } from "@/api/entities/repository";
import { codeEndpoint } from "@/api/project-endpoint";
import { commitReference, readOneCommit } from "@/api/repository";

export const GET = codeEndpoint({
  summary: "A commit",
  input: commitReference,
  run: readOneCommit,
  entity: commit,
});
export const OPTIONS = apiPreflight;
