import { accepted } from "@/identity/api/entities/accepted";
import { apiPreflight } from "@/oauth/api/cors";
import { removeRepository, repositoryReference } from "@/registries/api/registry";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

export const DELETE = projectEndpoint({
  summary: "Removes a container repository with all its images",
  role: "maintainer",
  input: repositoryReference,
  status: 202,
  run: removeRepository,
  entity: accepted,
});
export const OPTIONS = apiPreflight;
