import { apiPreflight } from "@/api/cors";
import { containerRepository } from "@/api/entities/container-repository";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { groupList } from "@/api/project-endpoint";
import { listGroupRepositories, repositorySearch } from "@/api/registry";

export const GET = groupList({
  summary: "The container repositories of all projects below a group",
  gitlabParameters: GITLAB_PARAMETERS.registry_repositories,
  role: "reporter",
  input: repositorySearch,
  run: listGroupRepositories,
  entity: containerRepository,
});
export const OPTIONS = apiPreflight;
