import { runnerToken } from "@/fleet/api/entities/runner";
import { resetToken, runnerReference } from "@/fleet/api/runners";
import { instance } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Reset the token of a runner; only this response contains the new token",
  in: instance(),
  scopes: ["api", "manage_runner"],
  input: runnerReference,
  response: one(runnerToken, { status: 201 }),
  run: resetToken,
});
export const OPTIONS = apiPreflight;
