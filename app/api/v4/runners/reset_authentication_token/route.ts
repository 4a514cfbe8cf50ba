import { apiPreflight } from "@/api/cors";
import { programEndpoint } from "@/api/endpoint";
import { runnerToken } from "@/api/entities/runner";
import { resetOwnToken, runnerCall } from "@/api/runners";

export const POST = programEndpoint({
  summary: "A runner exchanges its token for another one, which is shown this once",
  input: runnerCall,
  example: { token: "$RUNNER_TOKEN" },
  status: 201,
  run: resetOwnToken,
  entity: runnerToken,
});
export const OPTIONS = apiPreflight;
