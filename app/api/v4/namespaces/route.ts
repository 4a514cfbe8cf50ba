import { apiPreflight } from "@/api/cors";
import { apiList } from "@/api/endpoint";
import { namespace } from "@/api/entities/namespace";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { listNamespaces, namespaceSearch } from "@/api/namespaces";

export const GET = apiList({
  summary: "The groups of the caller and their own namespace; for administrators, every namespace",
  gitlabParameters: GITLAB_PARAMETERS.namespaces,
  input: namespaceSearch,
  pagedBy: "number",
  run: listNamespaces,
  entity: namespace,
});
export const OPTIONS = apiPreflight;
