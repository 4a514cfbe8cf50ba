import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestVersionDetails } from "@/review/api/entities/merge-request";
import { readVersion, versionInput } from "@/review/api/merge-request-changes";
import { endpoint } from "@/server/rest-api";
import { code } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get a diff version of a merge request with its commits and diffs",
  in: code(),
  input: versionInput,
  response: one(mergeRequestVersionDetails),
  run: readVersion,
});
export const OPTIONS = apiPreflight;
