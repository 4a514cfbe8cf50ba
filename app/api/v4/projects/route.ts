import { apiPreflight } from "@/api/cors";
import { apiEndpoint, openList } from "@/api/endpoint";
import { project, projectDetails } from "@/api/entities/project";
import { createProject, listProjects, projectDraft, projectSearch } from "@/api/projects";

export const GET = openList({
  summary: "The projects that the caller sees",
  input: projectSearch,
  run: listProjects,
  entity: project,
});
export const POST = apiEndpoint({
  summary: "Makes a project",
  input: projectDraft,
  status: 201,
  run: createProject,
  entity: projectDetails,
});
export const OPTIONS = apiPreflight;
