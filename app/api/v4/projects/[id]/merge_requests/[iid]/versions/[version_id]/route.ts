import { apiPreflight } from "@/api/cors";
import { mergeRequestVersionDetails } from "@/api/entities/merge-request";
import { readVersion, versionAsk } from "@/api/merge-requests";
import { aboutCodeEndpoint } from "@/api/project-endpoint";

export const GET = aboutCodeEndpoint({
  summary: "A version of a merge request with its commits and its changes",
  input: versionAsk,
  run: readVersion,
  entity: mergeRequestVersionDetails,
});
export const OPTIONS = apiPreflight;
