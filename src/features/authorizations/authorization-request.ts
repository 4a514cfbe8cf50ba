import { parseParameters } from "@/platform/http/parameters";
import type { Ask } from "./rules";

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
];

/**
 * An authorization request from the text of its query or form; what it does not know is ignored.
 * @throws Malformed when the text is no parameter list.
 */
export function readAsk(text: string): Ask {
  const { values, repeated } = parseParameters(text);
  const known = AUTHORIZATION_PARAMETERS.filter((name) => values.has(name));
  return {
    parameters: new Map(known.map((name) => [name, values.get(name) ?? ""])),
    repeated: new Set(AUTHORIZATION_PARAMETERS.filter((name) => repeated.has(name))),
  };
}

/** The same request as a query: it lives in the URL, so that any tab can finish it, hours later. */
export const queryFrom = (ask: Ask): string =>
  [...ask.parameters].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");

/** Binds a consent form to the request that it shows: a form with another client, scope or URI does not fit. */
export const consentPurpose = (ask: Ask): string => `consent ${JSON.stringify([...ask.parameters])}`;
