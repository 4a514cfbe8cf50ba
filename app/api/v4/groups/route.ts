import { instance, openInstance } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/entities/group";
import { createGroup, groupDraft, groupSearch, listGroups } from "@/workspace/api/groups";

export const GET = endpoint({
  summary: "List all groups that are visible to the caller",
  in: openInstance(),
  input: groupSearch,
  response: list(group, { gitlabParameters: GITLAB_PARAMETERS.groups }),
  run: listGroups,
});
export const POST = endpoint({
  summary: "Create a group",
  in: instance(),
  input: groupDraft,
  response: one(group, { status: 201 }),
  run: createGroup,
});
export const OPTIONS = apiPreflight;
