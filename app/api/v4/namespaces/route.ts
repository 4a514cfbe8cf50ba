import { apiList } from "@/http-api/endpoint";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { namespace } from "@/workspace/api/entities/namespace";
import { listNamespaces, namespaceSearch } from "@/workspace/api/namespaces";

export const GET = apiList({
  summary: "The groups of the caller and their own namespace; for administrators, every namespace",
  gitlabParameters: GITLAB_PARAMETERS.namespaces,
  input: namespaceSearch,
  pagedBy: "number",
  run: listNamespaces,
  entity: namespace,
});
export const OPTIONS = apiPreflight;
