import { runnerToken } from "@/fleet/api/entities/runner";
import { resetOwnToken, runnerCall } from "@/fleet/api/runners";
import { programs } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary:
    "Reset the token of a runner that sends its current token; only this response contains the new token",
  in: programs(),
  input: runnerCall,
  example: { token: "$RUNNER_TOKEN" },
  response: one(runnerToken, { status: 201 }),
  run: resetOwnToken,
});
export const OPTIONS = apiPreflight;
