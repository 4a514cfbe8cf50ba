import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { member } from "@/workspace/api/entities/member";
import { listAllMembers, memberSearch } from "@/workspace/api/members";
import { seenProjectList } from "@/workspace/api/project-endpoint";

export const GET = seenProjectList({
  summary: "Who is a member, here or by a group above",
  gitlabParameters: GITLAB_PARAMETERS.project_members,
  input: memberSearch,
  run: listAllMembers,
  entity: member,
});
export const OPTIONS = apiPreflight;
