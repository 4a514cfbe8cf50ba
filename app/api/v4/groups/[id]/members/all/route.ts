import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/access-rules";
import { member } from "@/workspace/api/entities/member";
import { listAllMembers, memberSearch } from "@/workspace/api/members";

export const GET = endpoint({
  summary: "List all members of a group, including inherited members",
  in: group(),
  input: memberSearch,
  response: list(member, { gitlabParameters: GITLAB_PARAMETERS.group_members }),
  run: listAllMembers,
});
export const OPTIONS = apiPreflight;
