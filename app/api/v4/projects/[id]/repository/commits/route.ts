import { listedCommit } from "@/code/api/entities/repository";
import { commitSearch, readCommits } from "@/code/api/repository";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { codeList } from "@/workspace/api/project-endpoint";

export const GET = codeList({
  summary: "Commits, the newest first",
  gitlabParameters: GITLAB_PARAMETERS.commits,
  input: commitSearch,
  pagedBy: "number",
  run: readCommits,
  entity: listedCommit,
});
export const OPTIONS = apiPreflight;
