import { apiPreflight } from "@/api/cors";
import { member } from "@/api/entities/member";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { listAllMembers, memberSearch } from "@/api/members";
import { seenGroupList } from "@/api/project-endpoint";

export const GET = seenGroupList({
  summary: "Who is a member, here or by a group above",
  gitlabParameters: GITLAB_PARAMETERS.group_members,
  input: memberSearch,
  run: listAllMembers,
  entity: member,
});
export const OPTIONS = apiPreflight;
