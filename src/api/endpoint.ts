import type { Principal } from "@/access/principal";
import type { Scope } from "@/access/scopes";
import { isUnavailable, RETRY_AFTER_SECONDS } from "@/platform/db/errors";
import { type Deps, systemDeps } from "@/platform/deps";
import { authenticate } from "./authenticate";
import { ApiError } from "./errors";

type Endpoint<Result> = Readonly<{
  /** Any of these opens the endpoint. */
  scopes: readonly Scope[];
  run: (deps: Deps, who: Principal) => Result | Promise<Result>;
  entity: (result: Result, deps: Deps) => object;
}>;

/** An endpoint of the REST API: who may call, what runs, and which entity comes back. */
export function apiEndpoint<Result>(endpoint: Endpoint<Result>): (request: Request) => Promise<Response> {
  return async (request) => {
    const deps = systemDeps();
    try {
      const who = await authenticate(deps, request, endpoint.scopes);
      return Response.json(endpoint.entity(await endpoint.run(deps, who), deps), { headers: PRIVATE });
    } catch (cause) {
      return refuse(deps, cause);
    }
  };
}

/** An answer that depends on a token belongs to its caller alone (RFC 6750 §2.3). */
const PRIVATE = { "cache-control": "private, no-store", vary: "Authorization" } as const;

function refuse(deps: Deps, cause: unknown): Response {
  if (cause instanceof ApiError) {
    const challenge = cause.challenge === null ? {} : { "www-authenticate": cause.challenge };
    return Response.json(cause.body, { status: cause.status, headers: { ...PRIVATE, ...challenge } });
  }
  deps.log.error({
    event: "api.failed",
    cause: String(cause),
    stack: cause instanceof Error ? cause.stack : undefined,
  });
  if (!isUnavailable(cause))
    return Response.json({ message: "500 Internal Server Error" }, { status: 500, headers: PRIVATE });
  const headers = { ...PRIVATE, "retry-after": String(RETRY_AFTER_SECONDS) };
  return Response.json({ message: "503 Service Unavailable" }, { status: 503, headers });
}
