import { apiPreflight } from "@/api/cors";
import { mergeRequestVersion } from "@/api/entities/merge-request";
import { listVersions, mergeRequestReference } from "@/api/merge-requests";
import { aboutCodeList } from "@/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "The versions of a merge request",
  input: mergeRequestReference,
  run: listVersions,
  entity: mergeRequestVersion,
});
export const OPTIONS = apiPreflight;
