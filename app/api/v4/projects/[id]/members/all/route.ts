import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";
import { member } from "@/workspace/api/entities/member";
import { listAllMembers, memberSearch } from "@/workspace/api/members";

export const GET = endpoint({
  summary: "List all members of a project, including inherited members",
  in: project(),
  input: memberSearch,
  response: list(member, { gitlabParameters: GITLAB_PARAMETERS.project_members }),
  run: listAllMembers,
});
export const OPTIONS = apiPreflight;
