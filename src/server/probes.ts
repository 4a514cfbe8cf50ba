import { depsAreOpen, systemDeps } from "@/kernel/deps/deps.ts";
import { jsonResponse } from "@/kernel/http/json.ts";
import { type Readiness, readiness, readinessAtStart } from "@/operations/health/readiness.ts";

const NO_STORE = { "cache-control": "no-store" };

/** The liveness probe, which responds with 200 while the process is running. */
export const alive = (): Response => jsonResponse({ status: "ok" }, { headers: NO_STORE });

/**
 * The readiness probe, which responds with 200 when this process can receive requests. If a check fails, the
 * probe responds with 503 and the name of the failed check.
 */
export async function ready(): Promise<Response> {
  return readinessResponse(depsAreOpen() ? await readiness(systemDeps()) : readinessAtStart());
}

/** Returns the response of the readiness probe. With a warning, the process can still receive requests. */
export const readinessResponse = (answer: Readiness): Response =>
  jsonResponse(answer, { status: answer.status === "failing" ? 503 : 200, headers: NO_STORE });
