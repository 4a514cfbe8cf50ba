import { apiEndpoint, openList } from "@/http-api/endpoint";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { project, projectDetails } from "@/workspace/api/entities/project";
import { createProject, listProjects, projectDraft, projectSearch } from "@/workspace/api/projects";

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
