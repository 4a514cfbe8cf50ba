import { instance, openInstance } from "@/http-api/access-rules";
import { list, one } from "@/http-api/answers";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/entities/group";
import { createGroup, groupDraft, groupSearch, listGroups } from "@/workspace/api/groups";

export const GET = endpoint({
  summary: "List all groups that are visible to the caller",
  in: openInstance(),
  input: groupSearch,
  answer: list(group, { gitlabParameters: GITLAB_PARAMETERS.groups }),
  run: listGroups,
});
export const POST = endpoint({
  summary: "Create a group",
  in: instance(),
  input: groupDraft,
  answer: one(group, { status: 201 }),
  run: createGroup,
});
export const OPTIONS = apiPreflight;
