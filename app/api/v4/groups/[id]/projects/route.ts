import { apiPreflight } from "@/api/cors";
import { project } from "@/api/entities/project";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { openGroupList } from "@/api/project-endpoint";
import { groupProjectSearch, listGroupProjects } from "@/api/projects";

export const GET = openGroupList({
  summary: "The projects of a group that the caller sees",
  gitlabParameters: GITLAB_PARAMETERS.group_projects,
  input: groupProjectSearch,
  run: listGroupProjects,
  entity: project,
});
export const OPTIONS = apiPreflight;
