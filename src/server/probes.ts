import { depsAreOpen, systemDeps } from "@/kernel/deps/deps.ts";
import { jsonResponse } from "@/kernel/http/json.ts";
import { readiness, readinessAtStart } from "./readiness.ts";

const NO_STORE = { "cache-control": "no-store" };

/** The liveness probe, which responds with 200 while the process is running. */
export const alive = (): Response => jsonResponse({ status: "ok" }, { headers: NO_STORE });

/**
 * The readiness probe, which responds with 200 when this process can receive requests. If a check fails, the
 * probe responds with 503 and the name of the failed check.
 */
export async function ready(): Promise<Response> {
  const answer = depsAreOpen() ? await readiness(systemDeps()) : readinessAtStart();
  return jsonResponse(answer, { status: answer.status === "ok" ? 200 : 503, headers: NO_STORE });
}
