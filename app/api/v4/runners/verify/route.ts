import { registeredRunner } from "@/fleet/api/entities/runner";
import { runnerCallWithInfo, verifyRunner } from "@/fleet/api/runners";
import { programs } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Verify the token of a runner",
  in: programs(),
  input: runnerCallWithInfo,
  example: { token: "$RUNNER_TOKEN" },
  response: one(registeredRunner),
  run: verifyRunner,
});
export const OPTIONS = apiPreflight;
