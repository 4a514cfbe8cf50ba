import { RETURN_PATH_LENGTH_MAX, STEP_UP_DECLINED } from "@/identity/sessions/sign-in-path";
import { hasBrackets, Malformed, parseParameters } from "@/kernel/http/parameters";
import { parseClaims } from "./requested-claims";
import type { AuthorizationRequest } from "./rules";

/**
 * The URL parameter that this instance adds to an authorization request before the redirect to the sign-in
 * page. The value of the parameter is the time at which the server first received the request
 * (`first-seen.ts`).
 */
export const FIRST_SEEN = "first_seen";

/** The parameters that the pages of this instance add to an authorization request. */
export const ADDED_PARAMETERS: readonly string[] = [FIRST_SEEN, STEP_UP_DECLINED];

/**
 * The parameters of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1).
 */
const AUTHORIZATION_PARAMETERS: readonly string[] = [
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "dpop_jkt",
  "resource",
  "prompt",
  "max_age",
  "acr_values",
  "claims",
  "login_hint",
  "id_token_hint",
  "request",
  "request_uri",
  ...ADDED_PARAMETERS,
];

/** The parameters that a client can push (RFC 9126 §2.1). */
export const pushedParameters: readonly string[] = AUTHORIZATION_PARAMETERS.filter(
  (name) => !ADDED_PARAMETERS.includes(name),
);

/**
 * Parses an authorization request from a URL query or from the body of a form. Unknown parameters are
 * ignored.
 * @throws Malformed when the text is not a parameter list, or when a parameter name has brackets.
 */
export function readAuthorizationRequest(text: string): AuthorizationRequest {
  const parsed = parseParameters(text);
  if (hasBrackets(parsed, AUTHORIZATION_PARAMETERS)) throw new Malformed("parameter_in_brackets");
  const { values, repeated } = parsed;
  const names = AUTHORIZATION_PARAMETERS.filter((name) => values.has(name));
  return {
    claims: parseClaims(values.get("claims")),
    parameters: new Map(names.map((name) => [name, values.get(name) ?? ""])),
    repeated: new Set(AUTHORIZATION_PARAMETERS.filter((name) => repeated.has(name))),
  };
}

/**
 * Returns an authorization request as a query string. During sign-in, the URL contains the authorization
 * request or the reference to a pushed authorization request, so that any browser tab can finish the
 * authorization request later. Duplicate parameters are kept, so that an invalid request stays invalid after
 * sign-in.
 */
export const queryFrom = (request: AuthorizationRequest): string =>
  [...urlParametersOf(request)]
    .flatMap(([name, value]) => {
      const pair = `${name}=${encodeURIComponent(value)}`;
      return request.repeated.has(name) ? [pair, pair] : [pair];
    })
    .join("&");

/**
 * Returns the path of an authorization request, to which the pages for sign-in and re-authentication
 * redirect. The path does not contain the parameter that records an earlier refusal of the step-up, because
 * the user may have signed in with another account, with which the user can decline the step-up again.
 */
export const returnPathFrom = (request: AuthorizationRequest): string =>
  `/oauth/authorize?${queryFrom(without(request, [STEP_UP_DECLINED]))}`;

/**
 * The number of characters of a return path that are reserved for the parameters that the pages of this
 * instance add.
 */
const ADDED_LENGTH_MAX = 512;

/**
 * Returns whether an authorization request is too long for the return path of the sign-in pages. The limit
 * applies to the encoded return path, because the path is a parameter in the URLs of the sign-in pages.
 */
export const exceedsReturnPath = (request: AuthorizationRequest): boolean =>
  encodeURIComponent(queryFrom(without(request, ADDED_PARAMETERS))).length >
  RETURN_PATH_LENGTH_MAX - ADDED_LENGTH_MAX;

/** Returns the authorization request without the URL parameters that have these names. */
const without = (request: AuthorizationRequest, names: readonly string[]): AuthorizationRequest => ({
  ...request,
  urlParameters: new Map([...urlParametersOf(request)].filter(([name]) => !names.includes(name))),
});

/**
 * Returns the parameters in the URL of an authorization request. The URL of a pushed authorization request
 * contains only the reference to the pushed authorization request.
 */
export const urlParametersOf = (request: AuthorizationRequest): ReadonlyMap<string, string> =>
  request.urlParameters ?? request.parameters;

/**
 * Returns the purpose that binds the CSRF token of a consent form to its request. The CSRF token is not valid
 * for another client, scope or redirect URI.
 */
export const consentPurpose = (request: AuthorizationRequest): string =>
  `consent ${JSON.stringify([...request.parameters, ...(request.pushed ? [request.pushed.digest] : [])])}`;

/**
 * The supported response modes (OAuth 2.0 Multiple Response Types §2.1, OAuth 2.0 Form Post Response Mode).
 */
export const RESPONSE_MODES = ["query", "fragment", "form_post"] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/** The supported values of `prompt` (OpenID Connect Core §3.1.2.1). */
export const PROMPTS = ["none", "login", "consent", "select_account"] as const;

/** Returns the values of the parameter `prompt`. Unknown values of `prompt` have no effect. */
export const promptsOf = ({ parameters }: AuthorizationRequest): readonly string[] =>
  (parameters.get("prompt") ?? "").split(" ").filter((word) => word !== "");

/**
 * The response types whose response is sent in the fragment of the redirect URI (OAuth 2.0 Multiple Response
 * Types §2.1, §5).
 */
const FRAGMENT_TYPES = ["token", "id_token"];

/**
 * Returns the response mode of an authorization request. For an unsupported `response_mode`, the error is
 * sent in the default mode of the response type. For example, a client of the implicit flow reads only the
 * fragment of the redirect URI.
 */
export function responseModeOf({ parameters, repeated }: AuthorizationRequest): ResponseMode {
  const types = parameters.get("response_type")?.split(" ") ?? [];
  const standard = types.some((type) => FRAGMENT_TYPES.includes(type)) ? "fragment" : "query";
  const mode = RESPONSE_MODES.find((candidate) => candidate === parameters.get("response_mode")) ?? standard;
  // An application whose redirect URI has a custom scheme cannot receive a form post.
  const usable = mode !== "form_post" || /^https?:/i.test(parameters.get("redirect_uri") ?? "");
  return usable && !repeated.has("response_mode") ? mode : standard;
}
