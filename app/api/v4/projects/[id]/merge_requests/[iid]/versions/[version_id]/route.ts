import { apiPreflight } from "@/oauth/api/cors";
import { mergeRequestVersionDetails } from "@/review/api/entities/merge-request";
import { readVersion, versionAsk } from "@/review/api/merge-requests";
import { aboutCodeEndpoint } from "@/workspace/api/project-endpoint";

export const GET = aboutCodeEndpoint({
  summary: "A version of a merge request with its commits and its changes",
  input: versionAsk,
  run: readVersion,
  entity: mergeRequestVersionDetails,
});
export const OPTIONS = apiPreflight;
