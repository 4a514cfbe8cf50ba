import { repository } from "@/code/api/access-rules";
import { listedCommit } from "@/code/api/entities/repository";
import { commitSearch, readCommits } from "@/code/api/repository";
import { list } from "@/http-api/answers";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List commits, newest first",
  in: repository(),
  input: commitSearch,
  answer: list(listedCommit, { gitlabParameters: GITLAB_PARAMETERS.commits, pagedBy: "number" }),
  run: readCommits,
});
export const OPTIONS = apiPreflight;
