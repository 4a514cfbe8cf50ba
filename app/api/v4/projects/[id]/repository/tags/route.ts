import { repository } from "@/code/api/access-rules";
import { tag } from "@/code/api/entities/repository";
import { listTags, tagSearch } from "@/code/api/tags";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List tags, newest first",
  in: repository(),
  input: tagSearch,
  response: list(tag, { gitlabParameters: GITLAB_PARAMETERS.tags, pagedBy: "token" }),
  run: listTags,
});
export const OPTIONS = apiPreflight;
