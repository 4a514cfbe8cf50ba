import { hash } from "node:crypto";
import { isUnavailable, RETRY_AFTER_SECONDS } from "@/kernel/db/errors";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { matchesEntityTag } from "@/kernel/http/entity-tag";
import { jsonResponse } from "@/kernel/http/json";
import { requestIdOf } from "@/kernel/http/request-id";
import { processWide } from "@/kernel/process/process-wide";
import { type CorsRow, corsHeaders } from "./cors";
import { nonceHeader } from "./dpop";
import { OAuthError } from "./errors";
import { NO_STORE } from "./no-store";

/**
 * Returns a handler of an endpoint under /oauth. The result of `run` becomes the JSON response, and an error
 * becomes `{error, error_description}`. Responses are never cached. A response with status 400 has no
 * `WWW-Authenticate` header, because strict clients would treat the header as an authentication failure.
 * @param cors the row of the endpoint in the CORS table; null when pages of other origins may not call the
 * endpoint.
 * @param status the status of a successful response.
 * @param further returns additional headers of a successful response.
 */
export function oauthEndpoint(
  run: (deps: Deps, request: Request) => Promise<object>,
  cors: CorsRow | null,
  status = 200,
  further: (deps: Deps) => Readonly<Record<string, string>> = () => ({}),
): (request: Request) => Promise<Response> {
  const headers = { ...NO_STORE, ...corsHeaders(cors) };
  return async (request) => {
    const deps = systemDeps();
    try {
      const body = await run(deps, request);
      const successHeaders = { ...headers, ...further(deps), ...nonceHeader(deps, request) };
      return jsonResponse(body, { status, headers: successHeaders });
    } catch (cause) {
      return refuse(deps, request, cause, { ...headers, ...nonceHeader(deps, request) });
    }
  };
}

/** A public document, such as the discovery document, as JSON text with its response headers. */
type SentDocument = Readonly<{
  sources: readonly unknown[];
  body: string;
  headers: Readonly<Record<string, string>> & { etag: string };
}>;

/**
 * Returns a handler of a public document, which caches may store and revalidate (RFC 9110 §13.1.2). Errors
 * are not cached.
 * @param document.name the name of the document, which no other public document has.
 * @param document.read returns the values from which the document is created. The document is created again
 * only when one of the values that `read` returns changes.
 */
export function documentEndpoint<const Sources extends readonly unknown[]>(
  document: Readonly<{
    name: string;
    read: (deps: Deps) => Promise<Sources>;
    create: (...sources: Sources) => object;
  }>,
  cacheControl: string,
  cors: CorsRow,
): (request: Request) => Promise<Response> {
  const state = processWide<{ last: SentDocument | null }>(`document ${document.name}`, () => ({
    last: null,
  }));
  const common = { "cache-control": cacheControl, ...corsHeaders(cors) };

  async function current(deps: Deps): Promise<SentDocument> {
    const sources = await document.read(deps);
    const { last } = state();
    if (last?.sources.every((source, index) => source === sources[index])) return last;
    const body = JSON.stringify(document.create(...sources));
    const etag = `"${hash("sha256", body, "base64url")}"`;
    const created = { sources, body, headers: { ...common, "content-type": "application/json", etag } };
    state().last = created;
    return created;
  }

  return async (request) => {
    const deps = systemDeps();
    try {
      const { body, headers } = await current(deps);
      return matchesEntityTag(request.headers.get("if-none-match"), headers.etag)
        ? new Response(null, { status: 304, headers: { ...common, etag: headers.etag } })
        : new Response(body, { headers });
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
