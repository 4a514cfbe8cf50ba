import { requestJob, runnerCallWithInfo } from "@/fleet/api/runners";
import { programEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";

export const POST = programEndpoint({
  summary: "A runner asks for a job: there is none, and it has been heard of",
  input: runnerCallWithInfo,
  example: { token: "$RUNNER_TOKEN" },
  run: requestJob,
  entity: null,
});
export const OPTIONS = apiPreflight;
