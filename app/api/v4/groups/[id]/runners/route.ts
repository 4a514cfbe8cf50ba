import { runner } from "@/fleet/api/entities/runner";
import { listGroupRunners, runnerSearch } from "@/fleet/api/runners";
import { list } from "@/http-api/answers";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary:
    "List the runners that are available to a group, including runners of ancestor groups and of the instance",
  in: group({ atLeast: "maintainer" }),
  input: runnerSearch,
  answer: list(runner, { gitlabParameters: GITLAB_PARAMETERS.runners }),
  run: listGroupRunners,
});
export const OPTIONS = apiPreflight;
