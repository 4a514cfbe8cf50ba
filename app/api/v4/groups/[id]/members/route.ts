import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { member } from "@/workspace/api/entities/member";
import { addMember, listMembers, memberSearch, newMember } from "@/workspace/api/members";
import { groupEndpoint, seenGroupList } from "@/workspace/api/project-endpoint";

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
