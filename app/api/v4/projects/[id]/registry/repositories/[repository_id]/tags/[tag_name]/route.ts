import { apiPreflight } from "@/api/cors";
import { containerTagDetails } from "@/api/entities/container-repository";
import { done } from "@/api/entity";
import { imagesEndpoint, projectEndpoint } from "@/api/project-endpoint";
import { readTag, removeTag, tagReference } from "@/api/registry";

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
