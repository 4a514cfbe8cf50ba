import { systemDeps } from "@/kernel/deps/deps";
import { jsonResponse } from "@/kernel/http/json";
import { Malformed, parseParameters, queryOf } from "@/kernel/http/parameters";
import { CORS, corsHeaders } from "./cors";

const ISSUER_RELATION = "http://openid.net/specs/connect/1.0/issuer";
const REFUSED = {
  error: "invalid_request",
  error_description: "The parameter resource is missing, is repeated or is not a URI.",
};

/** `GET /.well-known/webfinger` (OpenID Connect Discovery §2.1): returns this issuer for every account. */
export function webfinger(request: Request): Response {
  const headers = { ...corsHeaders(CORS.discovery), "content-type": "application/jrd+json" };
  const resource = resourceOf(request);
  if (resource === null) return jsonResponse(REFUSED, { status: 400, headers });
  const links = [{ rel: ISSUER_RELATION, href: systemDeps().config.issuer }];
  return jsonResponse({ subject: resource, links }, { headers });
}

/**
 * Returns the parameter `resource`, which must be a URI (RFC 7033 §4.1); null for a missing, repeated or
 * invalid parameter.
 */
function resourceOf(request: Request): string | null {
  try {
    const { values, repeated } = parseParameters(queryOf(request.url));
    const resource = values.get("resource") ?? "";
    return /^[a-z][a-z0-9+.-]*:\S+$/i.test(resource) && !repeated.has("resource") ? resource : null;
  } catch (cause) {
    if (cause instanceof Malformed) return null;
    throw cause;
  }
}
