import { instance } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { listUses, useSearch } from "@/operations/api/deprecated-uses";
import { deprecatedUse } from "@/operations/api/entities/deprecated-use";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List the uses of deprecated parts of API v4",
  in: instance(),
  input: useSearch,
  response: list(deprecatedUse, { gitlabParameters: GITLAB_PARAMETERS.none, pagedBy: "number" }),
  run: listUses,
});
export const OPTIONS = apiPreflight;
