import { isUnavailable, RETRY_AFTER_SECONDS } from "@/kernel/db/errors";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { jsonResponse } from "@/kernel/http/json";
import { requestIdOf } from "@/kernel/http/request-id";
import { type CorsRow, corsHeaders } from "./cors";
import { OAuthError } from "./errors";

export const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" } as const;

/**
 * Returns a handler of an endpoint under /oauth. The result of `run` becomes the JSON response, and an error
 * becomes `{error, error_description}`. Responses are never cached. A response with status 400 has no
 * challenge, because strict clients would react to the challenge.
 * @param cors the row of the endpoint in the CORS table; null when pages of other origins may not call the
 * endpoint.
 */
export function oauthEndpoint(
  run: (deps: Deps, request: Request) => Promise<object>,
  cors: CorsRow | null,
): (request: Request) => Promise<Response> {
  const headers = { ...NO_STORE, ...corsHeaders(cors) };
  return async (request) => {
    const deps = systemDeps();
    try {
      return jsonResponse(await run(deps, request), { headers });
    } catch (cause) {
      return refuse(deps, request, cause, headers);
    }
  };
}

/** Returns a handler of a public document, which caches may store. Errors are not cached. */
export function documentEndpoint(
  run: (deps: Deps) => Promise<object>,
  cacheControl: string,
  cors: CorsRow,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const deps = systemDeps();
    try {
      const body = await run(deps);
      return jsonResponse(body, { headers: { "cache-control": cacheControl, ...corsHeaders(cors) } });
    } catch (cause) {
      return refuse(deps, request, cause, { ...NO_STORE, ...corsHeaders(cors) });
    }
  };
}

function refuse(
  { log }: Pick<Deps, "log">,
  request: Request,
  cause: unknown,
  headers: Readonly<Record<string, string>>,
): Response {
  const error = cause instanceof OAuthError ? cause : failure(cause);
  const request_id = requestIdOf(request);
  if (error === cause)
    log.info({ event: "oauth.refused", error: error.code, reason: error.reason, request_id });
  else log.error({ event: "oauth.failed", request_id }, cause);
  const { challenge, retryAfterSeconds, members } = error.options;
  return jsonResponse(
    { error: error.code, error_description: error.message, ...members },
    {
      status: error.status,
      headers: {
        ...headers,
        ...(challenge !== undefined && error.status !== 400 ? { "www-authenticate": challenge } : {}),
        ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
      },
    },
  );
}

const failure = (cause: unknown): OAuthError =>
  isUnavailable(cause)
    ? new OAuthError(
        "temporarily_unavailable",
        "The service is not available. Try again later.",
        "database",
        {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      )
    : new OAuthError("server_error", "The request could not be completed. Try again later.", "unexpected");
