import { apiPreflight } from "@/api/cors";
import { repositoryFile } from "@/api/entities/repository";
import { codeEndpoint } from "@/api/project-endpoint";
import { fileHeaders, fileReference, readRepositoryFile } from "@/api/repository";

export const GET = codeEndpoint({
  summary: "A file of the repository",
  input: fileReference,
  run: readRepositoryFile,
  headers: fileHeaders,
  entity: repositoryFile,
});
export const OPTIONS = apiPreflight;
