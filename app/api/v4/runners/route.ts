import { registeredRunner, runner } from "@/fleet/api/entities/runner";
import {
  deregisterRunner,
  listOwnRunners,
  registerRunner,
  runnerCall,
  runnerRegistration,
  runnerSearch,
} from "@/fleet/api/runners";
import { instance, programs } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List the runners of projects that you maintain and of groups that you own",
  in: instance(),
  input: runnerSearch,
  response: list(runner, { gitlabParameters: GITLAB_PARAMETERS.runners }),
  run: listOwnRunners,
});
export const POST = endpoint({
  summary: "Register a runner with the runner token",
  in: programs(),
  input: runnerRegistration,
  example: { token: "$RUNNER_TOKEN" },
  response: one(registeredRunner, { status: 201 }),
  run: registerRunner,
});
export const DELETE = endpoint({
  summary: "Delete a runner with the runner token",
  in: programs(),
  input: runnerCall,
  example: { token: "$RUNNER_TOKEN" },
  response: none(),
  run: deregisterRunner,
});
export const OPTIONS = apiPreflight;
