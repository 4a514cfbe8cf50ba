import { apiList } from "@/http-api/endpoint";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { listUses, useSearch } from "@/operations/api/deprecated-uses";
import { deprecatedUse } from "@/operations/api/entities/deprecated-use";

export const GET = apiList({
  summary: "What programs used that v5 has not: how often and when last",
  gitlabParameters: GITLAB_PARAMETERS.none,
  input: useSearch,
  pagedBy: "number",
  run: listUses,
  entity: deprecatedUse,
});
export const OPTIONS = apiPreflight;
