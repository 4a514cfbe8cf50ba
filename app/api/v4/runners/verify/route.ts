import { apiPreflight } from "@/api/cors";
import { programEndpoint } from "@/api/endpoint";
import { registeredRunner } from "@/api/entities/runner";
import { runnerCallWithInfo, verifyRunner } from "@/api/runners";

export const POST = programEndpoint({
  summary: "A runner asks whether its token works",
  input: runnerCallWithInfo,
  example: { token: "$RUNNER_TOKEN" },
  run: verifyRunner,
  entity: registeredRunner,
});
export const OPTIONS = apiPreflight;
