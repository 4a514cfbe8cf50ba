import { SeveralTokens, tokenOf } from "@/kernel/http/bearer";
import { Malformed, type Parameters, parseParameters, queryOf } from "@/kernel/http/parameters";
import { invalidRequest } from "./errors";
import { type Form, TOKEN_PARAMETERS } from "./form";

/**
 * Returns the access token of a request (RFC 6750 §2): from the header `Authorization: Bearer`, or from
 * `access_token` or `bearer_token` in the query. An endpoint that accepts posted forms also accepts the
 * access token as a form field.
 * @param form the posted form; null at an endpoint without forms.
 * @returns null when the request has no access token.
 * @throws OAuthError `invalid_request` for two different access tokens or a repeated parameter.
 */
export function presentedBearer(request: Request, form: Form | null = null): string | null {
  const query = queryParameters(request);
  const twice = TOKEN_PARAMETERS.find((name) => query.repeated.has(name));
  if (twice !== undefined) throw invalidRequest(`Parameter sent more than once: ${twice}.`, "repeated");
  const carried = TOKEN_PARAMETERS.flatMap((name) => [query.values.get(name), form?.get(name)]);
  return singleToken(request, carried);
}

/**
 * Returns the token in the header `Authorization`. The query is ignored, because URLs are logged.
 * @returns null when the header contains no token.
 * @throws OAuthError `invalid_request` for several headers.
 */
export const bearerInHeader = (request: Request): string | null => singleToken(request, []);

function singleToken(request: Request, carried: readonly (string | null | undefined)[]): string | null {
  try {
    return tokenOf(request.headers.get("authorization"), carried);
  } catch (cause) {
    if (!(cause instanceof SeveralTokens)) throw cause;
    if (cause.in === "header") throw invalidRequest("Send one Authorization header.", "two_headers");
    throw invalidRequest("The request contains two different access tokens. Send only one.", "two_tokens");
  }
}

function queryParameters(request: Request): Parameters {
  try {
    return parseParameters(queryOf(request.url));
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause;
    throw invalidRequest("The query has an invalid encoding.", `malformed_${cause.message}`);
  }
}

/** The error code and the description in `WWW-Authenticate` for a rejected bearer token (RFC 6750 §3). */
type BearerProblem = Readonly<{ code: string; description: string }>;

/**
 * Returns the value of the header `WWW-Authenticate`. The value contains no error code if the request has no
 * token (RFC 6750 §3.1).
 */
export const bearerChallenge = (problem?: BearerProblem): string =>
  'Bearer realm="Gatehouse"' +
  (problem === undefined ? "" : `, error="${problem.code}", error_description="${problem.description}"`);
