import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { accepted } from "@/identity/api/entities/accepted";
import { apiPreflight } from "@/oauth/api/cors";
import { containerTag } from "@/registries/api/entities/container-repository";
import { bulkRemoval, listTags, removeTags, repositoryReference } from "@/registries/api/registry";
import { endpoint } from "@/server/rest-api";
import { code, project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the tags of a container repository",
  in: code(),
  input: repositoryReference,
  response: list(containerTag, { gitlabParameters: GITLAB_PARAMETERS.registry_tags, pagedBy: "number" }),
  run: listTags,
});
export const DELETE = endpoint({
  summary: "Delete several tags, but never the tag latest; at most once per hour",
  in: project({ atLeast: "maintainer" }),
  input: bulkRemoval,
  example: { name_regex_delete: "v1\\..*" },
  response: one(accepted, { status: 202 }),
  run: removeTags,
});
export const OPTIONS = apiPreflight;
