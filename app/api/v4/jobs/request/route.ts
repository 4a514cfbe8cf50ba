import { requestJob, runnerCallWithInfo } from "@/fleet/api/runners";
import { programs } from "@/http-api/access-rules";
import { none } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary:
    "Request a job for a runner; the response is always empty, but the contact time of the runner is recorded",
  in: programs(),
  input: runnerCallWithInfo,
  example: { token: "$RUNNER_TOKEN" },
  response: none(),
  run: requestJob,
});
export const OPTIONS = apiPreflight;
