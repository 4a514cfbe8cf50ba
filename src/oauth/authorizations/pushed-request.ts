import type { Deps } from "@/kernel/deps/deps";
import { parseParameters } from "@/kernel/http/parameters";
import { findPushedRequest } from "../pushed-requests/service";
import { ADDED_PARAMETERS, readAuthorizationRequest } from "./authorization-request";
import { parseClaims } from "./requested-claims";
import type { AuthorizationRequest } from "./rules";

/**
 * The URL parameters of a pushed authorization request. All other URL parameters of a pushed authorization
 * request are ignored (RFC 9126 §4).
 */
const IN_URL = ["client_id", "request_uri", ...ADDED_PARAMETERS];

/**
 * Parses an authorization request from a URL query or from the body of a form. If the request refers to a
 * pushed authorization request, the result contains the pushed parameters, and the URLs of the following
 * pages contain only the reference to the pushed authorization request.
 * @throws Malformed in the same cases as `readAuthorizationRequest`.
 */
export async function resolveAuthorizationRequest(deps: Deps, text: string): Promise<AuthorizationRequest> {
  const request = readAuthorizationRequest(text);
  const requestUri = request.parameters.get("request_uri");
  const clientUid = request.parameters.get("client_id");
  if (requestUri === undefined || clientUid === undefined) return request;
  if (request.repeated.has("client_id") || request.repeated.has("request_uri")) return request;
  const pushed = await findPushedRequest(deps, clientUid, requestUri);
  if (pushed === null) return request;
  const urlParameters = new Map([...request.parameters].filter(([name]) => IN_URL.includes(name)));
  const { values } = parseParameters(pushed.query);
  const added = [...request.parameters].filter(([name]) => ADDED_PARAMETERS.includes(name));
  const parameters = new Map([...values, ...added]);
  return {
    parameters,
    claims: parseClaims(values.get("claims")),
    repeated: new Set(),
    pushed,
    urlParameters,
  };
}
