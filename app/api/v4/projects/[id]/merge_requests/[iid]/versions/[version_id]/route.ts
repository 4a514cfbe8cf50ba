import { one } from "@/http-api/answers";
import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestVersionDetails } from "@/review/api/entities/merge-request";
import { readVersion, versionAsk } from "@/review/api/merge-requests";
import { endpoint } from "@/server/rest-api";
import { code } from "@/workspace/api/places";

export const GET = endpoint({
  summary: "A version of a merge request with its commits and its changes",
  in: code(),
  input: versionAsk,
  answer: one(mergeRequestVersionDetails),
  run: readVersion,
});
export const OPTIONS = apiPreflight;
