import { apiEndpoint, openList } from "@/http-api/endpoint";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { group } from "@/workspace/api/entities/group";
import { createGroup, groupDraft, groupSearch, listGroups } from "@/workspace/api/groups";

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
