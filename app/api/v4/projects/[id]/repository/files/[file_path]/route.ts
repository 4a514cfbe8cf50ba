import { repositoryFile } from "@/code/api/entities/repository";
import { fileHeaders, fileReference, readRepositoryFile } from "@/code/api/repository";
import { apiPreflight } from "@/oauth/api/cors";
import { codeEndpoint } from "@/workspace/api/project-endpoint";

export const GET = codeEndpoint({
  summary: "A file of the repository",
  input: fileReference,
  run: readRepositoryFile,
  headers: fileHeaders,
  entity: repositoryFile,
});
export const OPTIONS = apiPreflight;
