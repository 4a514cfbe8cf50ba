import { apiPreflight } from "@/api/cors";
import { commit } from "@/api/entities/repository";
import { listCommits, mergeRequestReference } from "@/api/merge-requests";
import { aboutCodeList } from "@/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "The commits of a merge request",
  input: mergeRequestReference,
  pagedBy: "number",
  run: listCommits,
  entity: commit,
});
export const OPTIONS = apiPreflight;
