import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { containerRepository } from "@/registries/api/entities/container-repository";
import { listGroupRepositories, repositorySearch } from "@/registries/api/registry";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the container repositories of all projects in a group",
  in: group({ atLeast: "reporter" }),
  input: repositorySearch,
  response: list(containerRepository, { gitlabParameters: GITLAB_PARAMETERS.registry_repositories }),
  run: listGroupRepositories,
});
export const OPTIONS = apiPreflight;
