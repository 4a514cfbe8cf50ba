import { apiPreflight } from "@/api/cors";
import { accepted } from "@/api/entities/accepted";
import { projectEndpoint } from "@/api/project-endpoint";
import { removeRepository, repositoryReference } from "@/api/registry";

export const DELETE = projectEndpoint({
  summary: "Removes a container repository with all its images",
  role: "maintainer",
  input: repositoryReference,
  status: 202,
  run: removeRepository,
  entity: accepted,
});
export const OPTIONS = apiPreflight;
