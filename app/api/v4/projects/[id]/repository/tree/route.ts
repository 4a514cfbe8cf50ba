import { treeEntry } from "@/code/api/entities/repository";
import { readTree, treeSearch } from "@/code/api/repository";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { codeList } from "@/workspace/api/project-endpoint";

export const GET = codeList({
  summary: "What is in a folder of the repository",
  gitlabParameters: GITLAB_PARAMETERS.tree,
  input: treeSearch,
  pagedBy: "token",
  run: readTree,
  entity: treeEntry,
});
export const OPTIONS = apiPreflight;
