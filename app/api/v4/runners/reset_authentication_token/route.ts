import { runnerToken } from "@/fleet/api/entities/runner";
import { resetOwnToken, runnerCall } from "@/fleet/api/runners";
import { programEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";

export const POST = programEndpoint({
  summary: "A runner exchanges its token for another one, which is shown this once",
  input: runnerCall,
  example: { token: "$RUNNER_TOKEN" },
  status: 201,
  run: resetOwnToken,
  entity: runnerToken,
});
export const OPTIONS = apiPreflight;
