import { one } from "@/http-api/responses";
import { accepted } from "@/identity/api/entities/accepted";
import { apiPreflight } from "@/oauth/api/cors";
import { removeRepository, repositoryReference } from "@/registries/api/registry";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const DELETE = endpoint({
  summary: "Delete a container repository and all its images",
  in: project({ atLeast: "maintainer" }),
  input: repositoryReference,
  response: one(accepted, { status: 202 }),
  run: removeRepository,
});
export const OPTIONS = apiPreflight;
