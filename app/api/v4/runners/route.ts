import { apiPreflight } from "@/api/cors";
import { apiList, programEndpoint } from "@/api/endpoint";
import { registeredRunner, runner } from "@/api/entities/runner";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import {
  deregisterRunner,
  listOwnRunners,
  registerRunner,
  runnerCall,
  runnerCallWithInfo,
  runnerSearch,
} from "@/api/runners";

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
