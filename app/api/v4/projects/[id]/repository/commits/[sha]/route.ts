import { repository } from "@/code/api/access-rules";
import { commitReference, readOneCommit } from "@/code/api/commits";
import { commit } from "@/code/api/entities/repository";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get a commit",
  in: repository(),
  input: commitReference,
  response: one(commit),
  run: readOneCommit,
});
export const OPTIONS = apiPreflight;
