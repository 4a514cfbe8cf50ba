import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { registeredRunner } from "@/api/entities/runner";
import { createRunner, newRunner } from "@/api/runners";

export const POST = apiEndpoint({
  summary: "Makes a runner, and shows its token this once",
  scopes: ["api", "create_runner"],
  input: newRunner,
  status: 201,
  run: createRunner,
  entity: registeredRunner,
});
export const OPTIONS = apiPreflight;
