import { apiPreflight } from "@/api/cors";
import { member } from "@/api/entities/member";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { addMember, listMembers, memberSearch, newMember } from "@/api/members";
import { groupEndpoint, seenGroupList } from "@/api/project-endpoint";

export const GET = seenGroupList({
  summary: "Who is a member right here",
  gitlabParameters: GITLAB_PARAMETERS.group_members,
  input: memberSearch,
  run: listMembers,
  entity: member,
});
export const POST = groupEndpoint({
  summary: "Makes somebody a member",
  role: "owner",
  input: newMember,
  example: { user_id: 1, access_level: 30 },
  status: 201,
  run: addMember,
  entity: member,
});
export const OPTIONS = apiPreflight;
