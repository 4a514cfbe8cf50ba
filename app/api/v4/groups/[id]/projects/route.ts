import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { openGroup } from "@/workspace/api/access-rules";
import { project } from "@/workspace/api/entities/project";
import { groupProjectSearch, listGroupProjects } from "@/workspace/api/projects";

export const GET = endpoint({
  summary: "List the projects of a group that are visible to the caller",
  in: openGroup(),
  input: groupProjectSearch,
  response: list(project, { gitlabParameters: GITLAB_PARAMETERS.group_projects }),
  run: listGroupProjects,
});
export const OPTIONS = apiPreflight;
