import { apiPreflight } from "@/api/cors";
import { containerRepository } from "@/api/entities/container-repository";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { imagesList } from "@/api/project-endpoint";
import { listProjectRepositories, repositorySearch } from "@/api/registry";

export const GET = imagesList({
  summary: "The container repositories of a project",
  gitlabParameters: GITLAB_PARAMETERS.registry_repositories,
  input: repositorySearch,
  run: listProjectRepositories,
  entity: containerRepository,
});
export const OPTIONS = apiPreflight;
