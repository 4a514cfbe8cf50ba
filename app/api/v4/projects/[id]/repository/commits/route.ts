import { apiPreflight } from "@/api/cors";
import { commit } from "@/api/entities/repository";
import { codeList } from "@/api/project-endpoint";
import { commitSearch, readCommits } from "@/api/repository";

export const GET = codeList({
  summary: "Commits, the newest first",
  input: commitSearch,
  pagedBy: "number",
  run: readCommits,
  entity: commit,
});
export const OPTIONS = apiPreflight;
