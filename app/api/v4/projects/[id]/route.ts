import { accepted } from "@/identity/api/entities/accepted";
import { apiPreflight } from "@/oauth/api/cors";
import { projectDetails as entity } from "@/workspace/api/entities/project";
import { openProjectEndpoint, projectEndpoint } from "@/workspace/api/project-endpoint";
import { deleteProject, projectChanges, readProject, updateProject } from "@/workspace/api/projects";

export const GET = openProjectEndpoint({
  summary: "A project, by its id or its full path",
  run: readProject,
  entity,
});
export const PUT = projectEndpoint({
  summary: "Changes a project",
  role: "maintainer",
  input: projectChanges,
  example: { description: "What the shop sells" },
  run: updateProject,
  entity,
});
export const DELETE = projectEndpoint({
  summary: "Removes a project with all that belongs to it",
  role: "owner",
  status: 202,
  run: deleteProject,
  entity: accepted,
});
export const OPTIONS = apiPreflight;
