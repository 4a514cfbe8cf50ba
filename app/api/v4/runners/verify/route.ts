import { registeredRunner } from "@/fleet/api/entities/runner";
import { runnerCallWithInfo, verifyRunner } from "@/fleet/api/runners";
import { programEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";

export const POST = programEndpoint({
  summary: "A runner asks whether its token works",
  input: runnerCallWithInfo,
  example: { token: "$RUNNER_TOKEN" },
  run: verifyRunner,
  entity: registeredRunner,
});
export const OPTIONS = apiPreflight;
