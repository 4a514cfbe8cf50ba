import { fileReference, readRawFile } from "@/code/api/repository";
import { apiPreflight } from "@/oauth/api/cors";
import { codeBytes } from "@/workspace/api/project-endpoint";

export const GET = codeBytes({
  summary: "A file of the repository, as it is",
  input: fileReference,
  run: readRawFile,
});
export const OPTIONS = apiPreflight;
