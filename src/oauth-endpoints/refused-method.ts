import { CORS, type CorsRow, corsHeaders } from "./cors";
import { NO_STORE } from "./no-store";

type MethodRow = Readonly<{ path: RegExp; allow: string; cors: CorsRow | null }>;

const row = (path: RegExp, allow: string, cors: CorsRow | null): MethodRow => ({ path, allow, cors });

/**
 * The endpoints under /oauth that programs call, with the methods of their route files. Pages that users open
 * in a browser are not listed.
 */
const ENDPOINTS: readonly MethodRow[] = [
  row(/^\/oauth\/token\/?$/, "OPTIONS, POST", CORS.token),
  row(/^\/oauth\/token\/info\/?$/, "GET, HEAD, OPTIONS", CORS.tokenInfo),
  row(/^\/oauth\/revoke\/?$/, "OPTIONS, POST", CORS.revoke),
  row(/^\/oauth\/userinfo\/?$/, "GET, HEAD, OPTIONS, POST", CORS.userinfo),
  row(/^\/oauth\/par\/?$/, "OPTIONS, POST", CORS.par),
  row(/^\/oauth\/register\/?$/, "OPTIONS, POST", CORS.registration),
  row(/^\/oauth\/register\/[^/]+\/?$/, "DELETE, GET, HEAD, OPTIONS, PUT", CORS.registration),
  row(/^\/oauth\/discovery\/keys\/?$/, "GET, HEAD, OPTIONS", CORS.discovery),
  row(/^\/oauth\/introspect\/?$/, "OPTIONS, POST", null),
  row(/^\/oauth\/authorize_device\/?$/, "OPTIONS, POST", null),
];

/**
 * Returns the headers and the JSON body of the 405 response of an endpoint that programs call; null for any
 * other path.
 */
export function refusedOAuthMethod(
  path: string,
): Readonly<{ headers: Readonly<Record<string, string>>; body: string }> | null {
  if (!path.startsWith("/oauth/")) return null;
  const endpoint = ENDPOINTS.find((candidate) => candidate.path.test(path));
  if (endpoint === undefined) return null;
  const { allow, cors } = endpoint;
  return {
    headers: { allow, ...NO_STORE, ...corsHeaders(cors) },
    body: JSON.stringify({
      error: "invalid_request",
      error_description: `The endpoint does not support this method. Supported methods: ${allow}.`,
    }),
  };
}
