/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const INTROSPECT = {
  "IN-01": {
    rule: "an access token of the requesting client",
    expected:
      "200 with `active` true, `scope`, `client_id`, `username`, `token_type`, `exp`, `iat`, `sub`, `iss`",
    source: "RFC 7662 §2.2",
  },
  "IN-02": {
    rule: "a refresh token",
    expected:
      "`active` true with the granted scopes; `exp` is the end of the refresh token, and `token_type` is absent",
    source: "RFC 7662 §2.2",
  },
  "IN-03": {
    rule: "a token that is unknown, expired, revoked, rotated, of another client, or of a blocked user",
    expected: '200 with exactly `{"active":false}`',
    source: "RFC 7662 §2.2",
  },
  "IN-04": {
    rule: "a request without credentials",
    expected: "401 `invalid_client`",
    source: "RFC 7662 §2.1, §2.3",
  },
  "IN-05": {
    rule: "a wrong client secret",
    expected: "401 `invalid_client`, with `WWW-Authenticate: Basic` for Basic",
    source: "RFC 7662 §2.3",
  },
  "IN-06": {
    rule: "an access token as authorization",
    expected:
      "another active token of the same application: 200; the introspected token itself or an unknown token: 401 `invalid_token`",
    source: "RFC 7662 §2.1",
  },
  "IN-07": { rule: "a request without `token`", expected: "400 `invalid_request`", source: "RFC 7662 §2.1" },
  "IN-08": { rule: "a token that never expires", expected: "no `exp`", source: "RFC 7662 §2.2" },
  "IN-09": { rule: "a public client", expected: "401 `invalid_client`", source: "RFC 7662 §4" },
  "IN-10": { rule: "a wrong `token_type_hint`", expected: "the token is found", source: "RFC 7662 §2.1" },
  "IN-11": { rule: "methods and origins", expected: "POST only; no CORS header", source: "RFC 7662 §2.1" },
  "IN-12": {
    rule: "introspection by a resource server",
    expected:
      "access tokens of all clients with one of its scopes; `active: false` for all other tokens of other clients",
    source: "RFC 7662 §2.2, §4",
  },
};
