import { runner } from "@/fleet/api/entities/runner";
import { everyRunnerSearch, listAllRunners } from "@/fleet/api/runners";
import { apiList } from "@/http-api/endpoint";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";

export const GET = apiList({
  summary: "Every runner of the instance",
  gitlabParameters: GITLAB_PARAMETERS.runners,
  role: "administrator",
  input: everyRunnerSearch,
  run: listAllRunners,
  entity: runner,
});
export const OPTIONS = apiPreflight;
