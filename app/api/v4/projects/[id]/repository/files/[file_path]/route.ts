import { apiPreflight } from "@/api/cors";
import { repositoryFile } from "@/api/entities/repository";
import { codeEndpoint } from "@/api/project-endpoint";
import { fileReference, readRepositoryFile } from "@/api/repository";

export const GET = codeEndpoint({
  summary: "A file of the repository",
  input: fileReference,
  run: readRepositoryFile,
  entity: repositoryFile,
});
export const OPTIONS = apiPreflight;
