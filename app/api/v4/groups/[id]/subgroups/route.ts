import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { group } from "@/workspace/api/entities/group";
import { groupSearch, listSubgroups } from "@/workspace/api/groups";
import { openGroupList } from "@/workspace/api/project-endpoint";

export const GET = openGroupList({
  summary: "The groups right below a group that the caller sees",
  gitlabParameters: GITLAB_PARAMETERS.subgroups,
  input: groupSearch,
  run: listSubgroups,
  entity: group,
});
export const OPTIONS = apiPreflight;
