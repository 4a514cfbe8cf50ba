import { apiPreflight } from "@/api/cors";
import { accepted } from "@/api/entities/accepted";
import { containerTag } from "@/api/entities/container-repository";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { imagesList, projectEndpoint } from "@/api/project-endpoint";
import { bulkRemoval, listTags, removeTags, repositoryReference } from "@/api/registry";

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
