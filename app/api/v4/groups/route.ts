import { apiPreflight } from "@/api/cors";
import { apiEndpoint, openList } from "@/api/endpoint";
import { group } from "@/api/entities/group";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { createGroup, groupDraft, groupSearch, listGroups } from "@/api/groups";

export const GET = openList({
  summary: "The groups that the caller sees",
  gitlabParameters: GITLAB_PARAMETERS.groups,
  input: groupSearch,
  run: listGroups,
  entity: group,
});
export const POST = apiEndpoint({
  summary: "Makes a group",
  input: groupDraft,
  status: 201,
  run: createGroup,
  entity: group,
});
export const OPTIONS = apiPreflight;
