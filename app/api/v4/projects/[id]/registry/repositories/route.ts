import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { containerRepository } from "@/registries/api/entities/container-repository";
import { listProjectRepositories, repositorySearch } from "@/registries/api/registry";
import { imagesList } from "@/workspace/api/project-endpoint";

export const GET = imagesList({
  summary: "The container repositories of a project",
  gitlabParameters: GITLAB_PARAMETERS.registry_repositories,
  input: repositorySearch,
  run: listProjectRepositories,
  entity: containerRepository,
});
export const OPTIONS = apiPreflight;
