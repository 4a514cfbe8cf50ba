import { done } from "@/http-api/entity";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { containerTagDetails } from "@/registries/api/entities/container-repository";
import { readTag, removeTag, tagReference } from "@/registries/api/registry";
import { endpoint } from "@/server/rest-api";
import { code, project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get a tag of a container repository with its image details",
  in: code(),
  input: tagReference,
  response: one(containerTagDetails),
  run: readTag,
});
export const DELETE = endpoint({
  summary: "Delete a tag",
  in: project({ atLeast: "developer" }),
  input: tagReference,
  response: one(done),
  run: removeTag,
});
export const OPTIONS = apiPreflight;
