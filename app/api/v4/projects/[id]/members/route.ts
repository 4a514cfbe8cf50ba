import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { member } from "@/workspace/api/entities/member";
import { addMember, listMembers, memberSearch, newMember } from "@/workspace/api/members";
import { projectEndpoint, seenProjectList } from "@/workspace/api/project-endpoint";

export const GET = seenProjectList({
  summary: "Who is a member right here",
  gitlabParameters: GITLAB_PARAMETERS.project_members,
  input: memberSearch,
  run: listMembers,
  entity: member,
});
export const POST = projectEndpoint({
  summary: "Makes somebody a member",
  role: "maintainer",
  input: newMember,
  example: { user_id: 1, access_level: 30 },
  status: 201,
  run: addMember,
  entity: member,
});
export const OPTIONS = apiPreflight;
