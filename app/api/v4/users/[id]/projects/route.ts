import { instance } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/entities/project";
import { listUserProjects, userProjectSearch } from "@/workspace/api/projects";

export const GET = endpoint({
  summary: "List the projects that are in the namespace of a user and visible to the caller",
  in: instance(),
  input: userProjectSearch,
  response: list(project, { gitlabParameters: GITLAB_PARAMETERS.projects }),
  run: listUserProjects,
});
export const OPTIONS = apiPreflight;
