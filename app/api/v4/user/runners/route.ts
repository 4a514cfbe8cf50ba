import { registeredRunner } from "@/fleet/api/entities/runner";
import { createRunner, newRunner } from "@/fleet/api/runners";
import { instance } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Create a runner; only this response contains the runner token",
  in: instance(),
  scopes: ["api", "create_runner"],
  input: newRunner,
  response: one(registeredRunner, { status: 201 }),
  run: createRunner,
});
export const OPTIONS = apiPreflight;
