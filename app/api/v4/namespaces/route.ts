import { list } from "@/http-api/answers";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { instance } from "@/http-api/places";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { namespace } from "@/workspace/api/entities/namespace";
import { listNamespaces, namespaceSearch } from "@/workspace/api/namespaces";

export const GET = endpoint({
  summary: "The groups of the caller and the namespace of the caller; all namespaces for administrators",
  in: instance(),
  input: namespaceSearch,
  answer: list(namespace, { gitlabParameters: GITLAB_PARAMETERS.namespaces, pagedBy: "number" }),
  run: listNamespaces,
});
export const OPTIONS = apiPreflight;
