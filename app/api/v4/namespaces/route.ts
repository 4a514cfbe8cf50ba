import { instance } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { namespace } from "@/workspace/api/entities/namespace";
import { listNamespaces, namespaceSearch } from "@/workspace/api/namespaces";

export const GET = endpoint({
  summary: "List the namespaces of the current user; administrators see all namespaces",
  in: instance(),
  input: namespaceSearch,
  response: list(namespace, { gitlabParameters: GITLAB_PARAMETERS.namespaces, pagedBy: "number" }),
  run: listNamespaces,
});
export const OPTIONS = apiPreflight;
