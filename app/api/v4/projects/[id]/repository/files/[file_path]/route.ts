import { repository } from "@/code/api/access-rules";
import { repositoryFile } from "@/code/api/entities/repository";
import { fileHeaders, fileReference, readRepositoryFile } from "@/code/api/files";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get a file of the repository with its metadata",
  in: repository(),
  input: fileReference,
  response: one(repositoryFile, { headers: fileHeaders }),
  run: readRepositoryFile,
});
export const OPTIONS = apiPreflight;
