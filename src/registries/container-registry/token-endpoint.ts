import { isUnavailable, RETRY_AFTER_SECONDS } from "@/kernel/db/errors";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { jsonResponse } from "@/kernel/http/json";
import { Malformed, parseParameters, queryOf } from "@/kernel/http/parameters";
import { requestIdOf } from "@/kernel/http/request-id";
import { authenticateForRegistry } from "./credentials";
import { issueRegistryToken } from "./image-rights";
import { forbidden, invalidScope, notEnabled, RegistryRefusal } from "./refusals";
import { grantsRegistryAccess, parseImageScopes } from "./rules";

const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" } as const;

/**
 * The maximum number of repositories in a token request. The token for a push covers the pushed repository
 * and every repository from which layers are mounted.
 */
const NAMES_MAX = 30;

const DEFAULT_SERVICE = "container_registry";

/**
 * Handles `GET /jwt/auth?service=…&scope=…`: issues a token for the container registry (Docker Registry v2, token
 * authentication).
 */
export async function handleTokenRequest(request: Request): Promise<Response> {
  const deps = systemDeps();
  try {
    const { service, scopes } = readQuery(request);
    if (service !== (deps.config.registry?.service ?? DEFAULT_SERVICE)) return unknownService();
    const bearer = await authenticateForRegistry(deps, request);
    if (deps.config.registry === null) throw notEnabled();
    if (bearer === null ? scopes.length === 0 : !grantsRegistryAccess(bearer.scopes)) throw forbidden();
    const requested = parseImageScopes(scopes);
    if (requested.length > NAMES_MAX) throw invalidScope();
    const { token, expiresInSeconds, issuedAt } = await issueRegistryToken(deps, bearer, requested);
    const body = { token, expires_in: expiresInSeconds, issued_at: issuedAt.toISOString() };
    return jsonResponse(body, { headers: NO_STORE });
  } catch (cause) {
    return refuse(deps, request, cause);
  }
}

/**
 * The response to a token request for an unknown service, as in GitLab. Clients that first request a token
 * with `POST` repeat the request with `GET` after this response.
 */
export const unknownService = (): Response => new Response(null, { status: 404, headers: NO_STORE });

type Query = Readonly<{ service: string; scopes: readonly string[] }>;

/**
 * Parses the query parameters of a token request. `scope` may be repeated, and each value may be a list of
 * scopes. Unknown parameters are ignored.
 */
function readQuery(request: Request): Query {
  try {
    const { pairs } = parseParameters(queryOf(request.url));
    const valuesOf = (wanted: string) => pairs.flatMap(([name, value]) => (name === wanted ? [value] : []));
    return { service: valuesOf("service")[0] ?? "", scopes: valuesOf("scope").filter((text) => text !== "") };
  } catch (cause) {
    throw cause instanceof Malformed ? invalidScope() : cause;
  }
}

function refuse(deps: Deps, request: Request, cause: unknown): Response {
  const refusal = cause instanceof RegistryRefusal ? cause : failure(deps, request, cause);
  const { status, code, message, headers } = refusal;
  return jsonResponse({ errors: [{ code, message }] }, { status, headers: { ...NO_STORE, ...headers } });
}

function failure(deps: Deps, request: Request, cause: unknown): RegistryRefusal {
  deps.log.error({ event: "registry.token_failed", request_id: requestIdOf(request) }, cause);
  return isUnavailable(cause)
    ? new RegistryRefusal(503, "UNAVAILABLE", "try again later", {
        "retry-after": String(RETRY_AFTER_SECONDS),
      })
    : new RegistryRefusal(500, "UNKNOWN", "the token could not be created");
}
