import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { openGroup } from "@/workspace/api/access-rules";
import { group } from "@/workspace/api/entities/group";
import { groupSearch, listSubgroups } from "@/workspace/api/groups";

export const GET = endpoint({
  summary: "List the direct subgroups of a group that are visible to the caller",
  in: openGroup(),
  input: groupSearch,
  response: list(group, { gitlabParameters: GITLAB_PARAMETERS.subgroups }),
  run: listSubgroups,
});
export const OPTIONS = apiPreflight;
