import { apiPreflight } from "@/api/cors";
import { group } from "@/api/entities/group";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { groupSearch, listSubgroups } from "@/api/groups";
import { openGroupList } from "@/api/project-endpoint";

export const GET = openGroupList({
  summary: "The groups right below a group that the caller sees",
  gitlabParameters: GITLAB_PARAMETERS.subgroups,
  input: groupSearch,
  run: listSubgroups,
  entity: group,
});
export const OPTIONS = apiPreflight;
