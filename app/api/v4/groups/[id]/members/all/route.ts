import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { member } from "@/workspace/api/entities/member";
import { listAllMembers, memberSearch } from "@/workspace/api/members";
import { seenGroupList } from "@/workspace/api/project-endpoint";

export const GET = seenGroupList({
  summary: "Who is a member, here or by a group above",
  gitlabParameters: GITLAB_PARAMETERS.group_members,
  input: memberSearch,
  run: listAllMembers,
  entity: member,
});
export const OPTIONS = apiPreflight;
