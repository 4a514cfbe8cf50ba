import { apiPreflight } from "@/api/cors";
import { tag } from "@/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { codeList } from "@/api/project-endpoint";
import { listTags, tagSearch } from "@/api/repository";

export const GET = codeList({
  summary: "The tags, the newest first",
  gitlabParameters: GITLAB_PARAMETERS.tags,
  input: tagSearch,
  pagedBy: "token",
  run: listTags,
  entity: tag,
});
export const OPTIONS = apiPreflight;
