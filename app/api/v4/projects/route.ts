import { apiPreflight } from "@/api/cors";
import { apiEndpoint, openList } from "@/api/endpoint";
import { project, projectDetails } from "@/api/entities/project";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { createProject, listProjects, projectDraft, projectSearch } from "@/api/projects";

export const GET = openList({
  summary: "The projects that the caller sees",
  gitlabParameters: GITLAB_PARAMETERS.projects,
  input: projectSearch,
  run: listProjects,
  entity: project,
});
export const POST = apiEndpoint({
  summary: "Makes a project",
  input: projectDraft,
  example: { name: "Shop" },
  status: 201,
  run: createProject,
  entity: projectDetails,
});
export const OPTIONS = apiPreflight;
