import { apiPreflight } from "@/api/cors";
import { listedCommit } from "@/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { codeList } from "@/api/project-endpoint";
import { commitSearch, readCommits } from "@/api/repository";

export const GET = codeList({
  summary: "Commits, the newest first",
  gitlabParameters: GITLAB_PARAMETERS.commits,
  input: commitSearch,
  pagedBy: "number",
  run: readCommits,
  entity: listedCommit,
});
export const OPTIONS = apiPreflight;
