import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { containerRepository } from "@/registries/api/entities/container-repository";
import { listProjectRepositories, repositorySearch } from "@/registries/api/registry";
import { endpoint } from "@/server/rest-api";
import { code } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the container repositories of a project",
  in: code(),
  input: repositorySearch,
  response: list(containerRepository, { gitlabParameters: GITLAB_PARAMETERS.registry_repositories }),
  run: listProjectRepositories,
});
export const OPTIONS = apiPreflight;
