import { apiPreflight } from "@/api/cors";
import { programEndpoint } from "@/api/endpoint";
import { requestJob, runnerCallWithInfo } from "@/api/runners";

export const POST = programEndpoint({
  summary: "A runner asks for a job: there is none, and it has been heard of",
  input: runnerCallWithInfo,
  example: { token: "$RUNNER_TOKEN" },
  run: requestJob,
  entity: null,
});
export const OPTIONS = apiPreflight;
