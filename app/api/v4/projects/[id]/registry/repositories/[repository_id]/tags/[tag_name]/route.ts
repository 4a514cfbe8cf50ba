import { done } from "@/http-api/entity";
import { apiPreflight } from "@/oauth/api/cors";
import { containerTagDetails } from "@/registries/api/entities/container-repository";
import { readTag, removeTag, tagReference } from "@/registries/api/registry";
import { imagesEndpoint, projectEndpoint } from "@/workspace/api/project-endpoint";

export const GET = imagesEndpoint({
  summary: "A tag of a container repository, with what is behind it",
  input: tagReference,
  run: readTag,
  entity: containerTagDetails,
});
export const DELETE = projectEndpoint({
  summary: "Removes a tag",
  role: "developer",
  input: tagReference,
  run: removeTag,
  entity: done,
});
export const OPTIONS = apiPreflight;
