import { runnerDetails } from "@/fleet/api/entities/runner";
import { deleteRunner, readRunner, runnerChanges, runnerReference, updateRunner } from "@/fleet/api/runners";
import { none, one } from "@/http-api/answers";
import { instance } from "@/http-api/places";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "A runner, for those who have a say where it works; one of the instance for everybody",
  in: instance(),
  scopes: ["api", "read_api", "manage_runner"],
  input: runnerReference,
  answer: one(runnerDetails),
  run: readRunner,
});
export const PUT = endpoint({
  summary: "Changes a runner",
  in: instance(),
  scopes: ["api", "manage_runner"],
  input: runnerChanges,
  example: { paused: true },
  answer: one(runnerDetails),
  run: updateRunner,
});
export const DELETE = endpoint({
  summary: "Removes a runner: its token stops",
  in: instance(),
  scopes: ["api", "manage_runner"],
  input: runnerReference,
  answer: none(),
  run: deleteRunner,
});
export const OPTIONS = apiPreflight;
