import { runner } from "@/fleet/api/entities/runner";
import { listGroupRunners, runnerSearch } from "@/fleet/api/runners";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary:
    "List the runners that are available to a group, including runners of ancestor groups and of the instance",
  in: group({ atLeast: "maintainer" }),
  input: runnerSearch,
  response: list(runner, { gitlabParameters: GITLAB_PARAMETERS.runners }),
  run: listGroupRunners,
});
export const OPTIONS = apiPreflight;
