import { repository } from "@/code/api/access-rules";
import { commitSearch, readCommits } from "@/code/api/commits";
import { listedCommit } from "@/code/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List commits, newest first",
  in: repository(),
  input: commitSearch,
  response: list(listedCommit, { gitlabParameters: GITLAB_PARAMETERS.commits, pagedBy: "number" }),
  run: readCommits,
});
export const OPTIONS = apiPreflight;
