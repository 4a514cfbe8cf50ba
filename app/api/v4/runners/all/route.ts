import { runner } from "@/fleet/api/entities/runner";
import { everyRunnerSearch, listAllRunners } from "@/fleet/api/runners";
import { administrator } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List all runners of the instance",
  in: administrator(),
  input: everyRunnerSearch,
  response: list(runner, { gitlabParameters: GITLAB_PARAMETERS.runners }),
  run: listAllRunners,
});
export const OPTIONS = apiPreflight;
