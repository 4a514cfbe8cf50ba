import { instance } from "@/http-api/access-rules";
import { list } from "@/http-api/answers";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { listUses, useSearch } from "@/operations/api/deprecated-uses";
import { deprecatedUse } from "@/operations/api/entities/deprecated-use";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List the uses of deprecated parts of API v4",
  in: instance(),
  input: useSearch,
  answer: list(deprecatedUse, { gitlabParameters: GITLAB_PARAMETERS.none, pagedBy: "number" }),
  run: listUses,
});
export const OPTIONS = apiPreflight;
