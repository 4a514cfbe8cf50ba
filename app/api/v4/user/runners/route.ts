import { registeredRunner } from "@/fleet/api/entities/runner";
import { createRunner, newRunner } from "@/fleet/api/runners";
import { apiEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";

export const POST = apiEndpoint({
  summary: "Makes a runner, and shows its token this once",
  scopes: ["api", "create_runner"],
  input: newRunner,
  status: 201,
  run: createRunner,
  entity: registeredRunner,
});
export const OPTIONS = apiPreflight;
