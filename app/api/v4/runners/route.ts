import { registeredRunner, runner } from "@/fleet/api/entities/runner";
import {
  deregisterRunner,
  listOwnRunners,
  registerRunner,
  runnerCall,
  runnerCallWithInfo,
  runnerSearch,
} from "@/fleet/api/runners";
import { apiList, programEndpoint } from "@/http-api/endpoint";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";

export const GET = apiList({
  summary: "The runners of the projects that one maintains and of the groups that one owns",
  gitlabParameters: GITLAB_PARAMETERS.runners,
  input: runnerSearch,
  run: listOwnRunners,
  entity: runner,
});
export const POST = programEndpoint({
  summary: "A runner introduces itself with its token",
  input: runnerCallWithInfo,
  example: { token: "$RUNNER_TOKEN" },
  status: 201,
  run: registerRunner,
  entity: registeredRunner,
});
export const DELETE = programEndpoint({
  summary: "A runner goes, by its token",
  input: runnerCall,
  example: { token: "$RUNNER_TOKEN" },
  run: deregisterRunner,
  entity: null,
});
export const OPTIONS = apiPreflight;
