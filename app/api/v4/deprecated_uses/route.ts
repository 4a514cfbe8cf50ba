import { apiPreflight } from "@/api/cors";
import { listUses, useSearch } from "@/api/deprecated-uses";
import { apiList } from "@/api/endpoint";
import { deprecatedUse } from "@/api/entities/deprecated-use";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";

export const GET = apiList({
  summary: "What programs used that v5 has not: how often and when last",
  gitlabParameters: GITLAB_PARAMETERS.none,
  input: useSearch,
  pagedBy: "number",
  run: listUses,
  entity: deprecatedUse,
});
export const OPTIONS = apiPreflight;
