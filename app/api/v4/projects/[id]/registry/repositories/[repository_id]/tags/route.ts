import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { accepted } from "@/identity/api/entities/accepted";
import { apiPreflight } from "@/oauth/api/cors";
import { containerTag } from "@/registries/api/entities/container-repository";
import { bulkRemoval, listTags, removeTags, repositoryReference } from "@/registries/api/registry";
import { imagesList, projectEndpoint } from "@/workspace/api/project-endpoint";

export const GET = imagesList({
  summary: "The tags of a container repository",
  gitlabParameters: GITLAB_PARAMETERS.registry_tags,
  input: repositoryReference,
  pagedBy: "number",
  run: listTags,
  entity: containerTag,
});
export const DELETE = projectEndpoint({
  summary: "Removes tags in bulk, other than latest; at most once an hour",
  role: "maintainer",
  input: bulkRemoval,
  example: { name_regex_delete: "v1\\..*" },
  status: 202,
  run: removeTags,
  entity: accepted,
});
export const OPTIONS = apiPreflight;
