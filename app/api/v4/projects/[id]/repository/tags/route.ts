import { tag } from "@/code/api/entities/repository";
import { listTags, tagSearch } from "@/code/api/repository";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { codeList } from "@/workspace/api/project-endpoint";

export const GET = codeList({
  summary: "The tags, the newest first",
  gitlabParameters: GITLAB_PARAMETERS.tags,
  input: tagSearch,
  pagedBy: "token",
  run: listTags,
  entity: tag,
});
export const OPTIONS = apiPreflight;
