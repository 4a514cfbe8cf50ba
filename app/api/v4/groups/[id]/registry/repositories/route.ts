import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { containerRepository } from "@/registries/api/entities/container-repository";
import { listGroupRepositories, repositorySearch } from "@/registries/api/registry";
import { groupList } from "@/workspace/api/project-endpoint";

export const GET = groupList({
  summary: "The container repositories of all projects below a group",
  gitlabParameters: GITLAB_PARAMETERS.registry_repositories,
  role: "reporter",
  input: repositorySearch,
  run: listGroupRepositories,
  entity: containerRepository,
});
export const OPTIONS = apiPreflight;
