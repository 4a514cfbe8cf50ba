/**
 * The methods and headers that pages of other origins may use in requests to an endpoint, always without
 * cookies.
 */
export type CorsRow = Readonly<{ methods: readonly string[]; headers: readonly string[] }>;

const AUTHORIZATION = ["authorization", "dpop"];

/**
 * The endpoints that pages of other origins may call, with their allowed methods and headers. The other
 * endpoints send no CORS headers.
 */
export const CORS = {
  token: { methods: ["POST", "OPTIONS"], headers: AUTHORIZATION },
  par: { methods: ["POST", "OPTIONS"], headers: AUTHORIZATION },
  revoke: { methods: ["POST", "OPTIONS"], headers: AUTHORIZATION },
  userinfo: { methods: ["GET", "HEAD", "POST", "OPTIONS"], headers: AUTHORIZATION },
  tokenInfo: { methods: ["GET", "HEAD", "OPTIONS"], headers: AUTHORIZATION },
  registration: { methods: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"], headers: AUTHORIZATION },
  discovery: { methods: ["GET", "HEAD", "OPTIONS"], headers: [] },
} as const satisfies Record<string, CorsRow>;

/**
 * The request headers that a page may always send to another origin (Fetch, "CORS-safelisted
 * request-header").
 */
const SAFELISTED: readonly string[] = [
  "accept",
  "accept-language",
  "content-language",
  "content-type",
  "range",
];

/**
 * Returns the CORS headers of a response. The CORS headers are the same for every origin, so that a shared
 * cache may store the response.
 */
export const corsHeaders = (row: CorsRow | null): Readonly<Record<string, string>> =>
  row === null
    ? {}
    : {
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "DPoP-Nonce, WWW-Authenticate",
        vary: "Origin",
      };

/**
 * Returns a handler of preflight requests (Fetch, "CORS-preflight request"). The handler allows only the
 * request headers that the CORS table lists for the endpoint.
 */
export function preflight(row: CorsRow): (request: Request) => Response {
  return (request) => {
    const requestedHeaders = (request.headers.get("access-control-request-headers") ?? "")
      .split(",")
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== "");
    const headers = [...SAFELISTED, ...row.headers];
    const granted = requestedHeaders.every((name) => headers.includes(name));
    return new Response(null, {
      status: 204,
      headers: granted
        ? {
            ...corsHeaders(row),
            "access-control-allow-methods": row.methods.join(", "),
            // The specification names only `Authorization`. `DPoP` is listed only if the page sends a DPoP proof.
            "access-control-allow-headers": [
              ...(row.headers.length === 0 ? [] : ["Authorization"]),
              "Content-Type",
              ...(requestedHeaders.includes("dpop") ? ["DPoP"] : []),
            ].join(", "),
            "access-control-max-age": "7200",
          }
        : { vary: "Origin" },
    });
  };
}
