import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { runnerToken } from "@/api/entities/runner";
import { resetToken, runnerReference } from "@/api/runners";

export const POST = apiEndpoint({
  summary: "Gives a runner another token, and shows it this once",
  scopes: ["api", "manage_runner"],
  input: runnerReference,
  status: 201,
  run: resetToken,
  entity: runnerToken,
});
export const OPTIONS = apiPreflight;
