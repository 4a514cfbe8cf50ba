import { apiPreflight } from "@/api/cors";
import { treeEntry } from "@/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { codeList } from "@/api/project-endpoint";
import { readTree, treeSearch } from "@/api/repository";

export const GET = codeList({
  summary: "What is in a folder of the repository",
  gitlabParameters: GITLAB_PARAMETERS.tree,
  input: treeSearch,
  pagedBy: "token",
  run: readTree,
  entity: treeEntry,
});
export const OPTIONS = apiPreflight;
