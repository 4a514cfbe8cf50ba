import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { project } from "@/workspace/api/entities/project";
import { openGroupList } from "@/workspace/api/project-endpoint";
import { groupProjectSearch, listGroupProjects } from "@/workspace/api/projects";

export const GET = openGroupList({
  summary: "The projects of a group that the caller sees",
  gitlabParameters: GITLAB_PARAMETERS.group_projects,
  input: groupProjectSearch,
  run: listGroupProjects,
  entity: project,
});
export const OPTIONS = apiPreflight;
