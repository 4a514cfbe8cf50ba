import { depsAreOpen, systemDeps } from "@/platform/deps.ts";
import { jsonResponse } from "@/platform/http/json.ts";
import { readiness } from "./readiness.ts";

const NO_STORE = { "cache-control": "no-store" };

/** The process is up and answers. */
export const alive = (): Response => jsonResponse({ status: "ok" }, { headers: NO_STORE });

/** 200 when this process should be given requests, else 503 with the check that failed. */
export async function ready(): Promise<Response> {
  if (!depsAreOpen()) return jsonResponse({ status: "failing" }, { status: 503, headers: NO_STORE });
  const answer = await readiness(systemDeps());
  return jsonResponse(answer, { status: answer.status === "ok" ? 200 : 503, headers: NO_STORE });
}
