import { list } from "@/http-api/answers";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/entities/group";
import { groupSearch, listSubgroups } from "@/workspace/api/groups";
import { openGroup } from "@/workspace/api/places";

export const GET = endpoint({
  summary: "List the direct subgroups of a group that are visible to the caller",
  in: openGroup(),
  input: groupSearch,
  answer: list(group, { gitlabParameters: GITLAB_PARAMETERS.subgroups }),
  run: listSubgroups,
});
export const OPTIONS = apiPreflight;
