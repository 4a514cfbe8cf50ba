import { apiPreflight } from "@/api/cors";
import { codeBytes } from "@/api/project-endpoint";
import { fileReference, readRawFile } from "@/api/repository";

export const GET = codeBytes({
  summary: "A file of the repository, as it is",
  input: fileReference,
  run: readRawFile,
});
export const OPTIONS = apiPreflight;
