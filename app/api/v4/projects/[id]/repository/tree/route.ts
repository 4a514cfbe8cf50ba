import { repository } from "@/code/api/access-rules";
import { treeEntry } from "@/code/api/entities/repository";
import { readTree, treeSearch } from "@/code/api/files";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List the files and folders of a folder in the repository",
  in: repository(),
  input: treeSearch,
  response: list(treeEntry, { gitlabParameters: GITLAB_PARAMETERS.tree, pagedBy: "token" }),
  run: readTree,
});
export const OPTIONS = apiPreflight;
