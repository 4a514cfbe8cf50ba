import { repository } from "@/code/api/access-rules";
import { fileReference, readRawFile } from "@/code/api/files";
import { file } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get the raw content of a file of the repository",
  in: repository(),
  input: fileReference,
  response: file(),
  run: readRawFile,
});
export const OPTIONS = apiPreflight;
