import { apiPreflight } from "@/api/cors";
import { project } from "@/api/entities/project";
import { openGroupList } from "@/api/project-endpoint";
import { groupProjectSearch, listGroupProjects } from "@/api/projects";

export const GET = openGroupList({
  summary: "The projects of a group that the caller sees",
  input: groupProjectSearch,
  run: listGroupProjects,
  entity: project,
});
export const OPTIONS = apiPreflight;
