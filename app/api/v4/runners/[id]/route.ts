import { runnerDetails } from "@/fleet/api/entities/runner";
import { deleteRunner, readRunner, runnerChanges, runnerReference, updateRunner } from "@/fleet/api/runners";
import { instance } from "@/http-api/access-rules";
import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get a runner; every user can see instance runners",
  in: instance(),
  scopes: ["api", "read_api", "manage_runner"],
  input: runnerReference,
  response: one(runnerDetails),
  run: readRunner,
});
export const PUT = endpoint({
  summary: "Edit a runner",
  in: instance(),
  scopes: ["api", "manage_runner"],
  input: runnerChanges,
  example: { paused: true },
  response: one(runnerDetails),
  run: updateRunner,
});
export const DELETE = endpoint({
  summary: "Delete a runner; the runner token stops working",
  in: instance(),
  scopes: ["api", "manage_runner"],
  input: runnerReference,
  response: none(),
  run: deleteRunner,
});
export const OPTIONS = apiPreflight;
