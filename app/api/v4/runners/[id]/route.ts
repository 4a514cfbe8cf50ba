import { runnerDetails } from "@/fleet/api/entities/runner";
import { deleteRunner, readRunner, runnerChanges, runnerReference, updateRunner } from "@/fleet/api/runners";
import { apiEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";

export const GET = apiEndpoint({
  summary: "A runner, for those who have a say where it works; one of the instance for everybody",
  scopes: ["api", "read_api", "manage_runner"],
  input: runnerReference,
  run: readRunner,
  entity: runnerDetails,
});
export const PUT = apiEndpoint({
  summary: "Changes a runner",
  scopes: ["api", "manage_runner"],
  input: runnerChanges,
  example: { paused: true },
  run: updateRunner,
  entity: runnerDetails,
});
export const DELETE = apiEndpoint({
  summary: "Removes a runner: its token stops",
  scopes: ["api", "manage_runner"],
  input: runnerReference,
  run: deleteRunner,
  entity: null,
});
export const OPTIONS = apiPreflight;
