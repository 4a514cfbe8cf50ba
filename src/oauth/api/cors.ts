/** Every method of the API. */
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/**
 * The answer to a preflight below the API (Fetch, "CORS-preflight request"): a page of any origin may send any method
 * and any header, and never a cookie. The headers of the actual answers are in the server's table of addresses, for
 * they are on every answer, also on those that no route made.
 */
export function apiPreflight(request: Request): Response {
  const asked = request.headers.get("access-control-request-headers") ?? "";
  const names = asked.split(",").map((name) => name.trim());
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
