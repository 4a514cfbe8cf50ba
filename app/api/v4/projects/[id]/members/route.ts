import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";
import { member } from "@/workspace/api/entities/member";
import { addMember, listMembers, memberSearch, newMember } from "@/workspace/api/members";

export const GET = endpoint({
  summary: "List the direct members of a project",
  in: project(),
  input: memberSearch,
  response: list(member, { gitlabParameters: GITLAB_PARAMETERS.project_members }),
  run: listMembers,
});
export const POST = endpoint({
  summary: "Add a member to a project",
  in: project({ atLeast: "maintainer" }),
  input: newMember,
  example: { user_id: 1, access_level: 30 },
  response: one(member, { status: 201 }),
  run: addMember,
});
export const OPTIONS = apiPreflight;
