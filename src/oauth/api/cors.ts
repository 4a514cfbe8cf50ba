/** The methods that preflight responses of the API allow. */
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/**
 * Returns the response to a CORS preflight request to the API (Fetch, "CORS-preflight request"). Pages of any
 * origin may send any method and any header, but no cookies. The route table of the server adds the CORS
 * headers to the responses of all other requests, including error responses.
 */
export function apiPreflight(request: Request): Response {
  const requested = request.headers.get("access-control-request-headers") ?? "";
  const names = requested.split(",").map((name) => name.trim());
  const granted = names.filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": METHODS,
      ...(granted.length === 0 ? {} : { "access-control-allow-headers": granted.join(", ") }),
      "access-control-max-age": "7200",
      vary: "Access-Control-Request-Headers",
    },
  });
}
