import { isUnavailable, RETRY_AFTER_SECONDS } from "@/platform/db/errors";
import { type Deps, systemDeps } from "@/platform/deps";
import { OAuthError } from "./errors";

const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" } as const;

/**
 * A machine endpoint under /oauth: what `run` returns becomes the JSON answer, what it refuses becomes
 * `{error, error_description}`. Never stored by anybody; no challenge on a 400, which strict clients would follow.
 */
export function oauthEndpoint(
  run: (deps: Deps, request: Request) => Promise<object>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const deps = systemDeps();
    try {
      return Response.json(await run(deps, request), { headers: NO_STORE });
    } catch (cause) {
      return refuse(deps, cause);
    }
  };
}

function refuse(deps: Deps, cause: unknown): Response {
  const error = cause instanceof OAuthError ? cause : failure(cause);
  if (error === cause) deps.log.info({ event: "oauth.refused", error: error.code, reason: error.reason });
  else deps.log.error({ event: "oauth.failed", cause: String(cause), stack: stackOf(cause) });
  const challenge =
    error.status === 401 && error.challenge ? { "www-authenticate": 'Basic realm="Gatehouse"' } : {};
  const retryAfter = error.status === 503 ? { "retry-after": String(RETRY_AFTER_SECONDS) } : {};
  return Response.json(
    { error: error.code, error_description: error.message },
    { status: error.status, headers: { ...NO_STORE, ...challenge, ...retryAfter } },
  );
}

const failure = (cause: unknown): OAuthError =>
  isUnavailable(cause)
    ? new OAuthError("temporarily_unavailable", "The service is not available. Try again later.", "database")
    : new OAuthError("server_error", "The request could not be completed. Try again later.", "unexpected");

const stackOf = (cause: unknown): string | undefined => (cause instanceof Error ? cause.stack : undefined);
