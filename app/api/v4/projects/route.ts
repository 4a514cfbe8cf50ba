import { instance, openInstance } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project, projectDetails } from "@/workspace/api/entities/project";
import { createProject, listProjects, projectDraft, projectSearch } from "@/workspace/api/projects";

export const GET = endpoint({
  summary: "List all projects that are visible to the caller",
  in: openInstance(),
  input: projectSearch,
  response: list(project, { gitlabParameters: GITLAB_PARAMETERS.projects }),
  run: listProjects,
});
export const POST = endpoint({
  summary: "Create a project",
  in: instance(),
  input: projectDraft,
  example: { name: "Shop" },
  response: one(projectDetails, { status: 201 }),
  run: createProject,
});
export const OPTIONS = apiPreflight;
