import { runner } from "@/fleet/api/entities/runner";
import { listGroupRunners, runnerSearch } from "@/fleet/api/runners";
import { list } from "@/http-api/answers";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/places";

export const GET = endpoint({
  summary: "The runners that work for a group: its own, those of groups above it and of the instance",
  in: group({ atLeast: "maintainer" }),
  input: runnerSearch,
  answer: list(runner, { gitlabParameters: GITLAB_PARAMETERS.runners }),
  run: listGroupRunners,
});
export const OPTIONS = apiPreflight;
