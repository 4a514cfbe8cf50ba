import { hasBrackets, Malformed, parseParameters } from "@/kernel/http/parameters";
import type { AuthorizationRequest } from "./rules";

/** Ours, added on the way to sign-in: when the request was first seen (`first-seen.ts`). */
export const FIRST_SEEN = "first_seen";

/** Parameters of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1). */
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
  "prompt",
  "max_age",
  "login_hint",
  "id_token_hint",
  "request",
  "request_uri",
  FIRST_SEEN,
];

/**
 * An authorization request from the text of its query or form; what it does not know is ignored.
 * @throws Malformed when the text is no parameter list, or nests a parameter in brackets.
 */
export function readAuthorizationRequest(text: string): AuthorizationRequest {
  const parsed = parseParameters(text);
  if (hasBrackets(parsed, AUTHORIZATION_PARAMETERS)) throw new Malformed("parameter_in_brackets");
  const { values, repeated } = parsed;
  const names = AUTHORIZATION_PARAMETERS.filter((name) => values.has(name));
  return {
    parameters: new Map(names.map((name) => [name, values.get(name) ?? ""])),
    repeated: new Set(AUTHORIZATION_PARAMETERS.filter((name) => repeated.has(name))),
  };
}

/**
 * The same request as a query: it lives in the URL, so that any tab can finish it, hours later. What was sent twice
 * stays twice: signing in must not repair a request that is refused.
 */
export const queryFrom = ({ parameters, repeated }: AuthorizationRequest): string =>
  [...parameters]
    .flatMap(([name, value]) => {
      const pair = `${name}=${encodeURIComponent(value)}`;
      return repeated.has(name) ? [pair, pair] : [pair];
    })
    .join("&");

/** Binds a consent form to the request that it shows: a form with another client, scope or URI does not fit. */
export const consentPurpose = (request: AuthorizationRequest): string =>
  `consent ${JSON.stringify([...request.parameters])}`;

/** How the answer can travel (OAuth 2.0 Multiple Response Types §2.1, OAuth 2.0 Form Post Response Mode). */
export const RESPONSE_MODES = ["query", "fragment", "form_post"] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/** How the person may be asked (OpenID Connect Core §3.1.2.1). */
export const PROMPTS = ["none", "login", "consent", "select_account"] as const;

/** The words of `prompt`; those that are none of ours mean nothing. */
export const promptsOf = ({ parameters }: AuthorizationRequest): readonly string[] =>
  (parameters.get("prompt") ?? "").split(" ").filter((word) => word !== "");

/** Response types whose response belongs into the fragment (OAuth 2.0 Multiple Response Types §2.1, §5). */
const FRAGMENT_TYPES = ["token", "id_token"];

/**
 * How the response travels. A request whose `response_mode` is refused gets the error by the default mode, which
 * depends on the response type: a client of the implicit flow reads the fragment only.
 */
export function responseModeOf({ parameters, repeated }: AuthorizationRequest): ResponseMode {
  const types = parameters.get("response_type")?.split(" ") ?? [];
  const standard = types.some((type) => FRAGMENT_TYPES.includes(type)) ? "fragment" : "query";
  const mode = RESPONSE_MODES.find((candidate) => candidate === parameters.get("response_mode")) ?? standard;
  // The scheme of a native application cannot receive a form.
  const usable = mode !== "form_post" || /^https?:/i.test(parameters.get("redirect_uri") ?? "");
  return usable && !repeated.has("response_mode") ? mode : standard;
}
