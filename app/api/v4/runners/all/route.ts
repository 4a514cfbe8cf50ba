import { apiPreflight } from "@/api/cors";
import { apiList } from "@/api/endpoint";
import { runner } from "@/api/entities/runner";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { everyRunnerSearch, listAllRunners } from "@/api/runners";

export const GET = apiList({
  summary: "Every runner of the instance",
  gitlabParameters: GITLAB_PARAMETERS.runners,
  role: "administrator",
  input: everyRunnerSearch,
  run: listAllRunners,
  entity: runner,
});
export const OPTIONS = apiPreflight;
