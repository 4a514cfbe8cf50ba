import { runnerToken } from "@/fleet/api/entities/runner";
import { resetToken, runnerReference } from "@/fleet/api/runners";
import { apiEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";

export const POST = apiEndpoint({
  summary: "Gives a runner another token, and shows it this once",
  scopes: ["api", "manage_runner"],
  input: runnerReference,
  status: 201,
  run: resetToken,
  entity: runnerToken,
});
export const OPTIONS = apiPreflight;
