/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const INTROSPECT = {
  "IN-01": {
    rule: "introspection of an access token of the requesting client",
    expected:
      "200 with `active` true, `scope`, `client_id`, `username`, `token_type`, `exp`, `iat`, `sub`, `iss`",
    source: "RFC 7662 §2.2",
  },
  "IN-02": {
    rule: "introspection of a refresh token",
    expected:
      "the response contains `active` true and the granted scopes; `exp` is the expiry of the refresh token; `token_type` is absent",
    source: "RFC 7662 §2.2",
  },
  "IN-03": {
    rule: "introspection of a token that is unknown, expired, revoked, rotated, of another client, or of a blocked user",
    expected: '200 with exactly `{"active":false}`',
    source: "RFC 7662 §2.2",
  },
  "IN-04": {
    rule: "an introspection request without credentials",
    expected: "401 `invalid_client`",
    source: "RFC 7662 §2.1, §2.3",
  },
  "IN-05": {
    rule: "an introspection request with a wrong client secret",
    expected: "401 `invalid_client`; a request with HTTP Basic also gets `WWW-Authenticate: Basic`",
    source: "RFC 7662 §2.3",
  },
  "IN-06": {
    rule: "an introspection request that is authorized by an access token",
    expected:
      "200 if the access token is another active token of the application; 401 `invalid_token` if the access token is unknown or is the introspected token itself",
    source: "RFC 7662 §2.1",
  },
  "IN-07": {
    rule: "an introspection request without `token`",
    expected: "400 `invalid_request`",
    source: "RFC 7662 §2.1",
  },
  "IN-08": {
    rule: "introspection of a token that never expires",
    expected: "the response contains no `exp`",
    source: "RFC 7662 §2.2",
  },
  "IN-09": {
    rule: "an introspection request of a public client",
    expected: "401 `invalid_client`",
    source: "RFC 7662 §4",
  },
  "IN-10": {
    rule: "an introspection request with a wrong `token_type_hint`",
    expected: "the server finds the token regardless of the hint",
    source: "RFC 7662 §2.1",
  },
  "IN-11": {
    rule: "the HTTP methods and the CORS headers of the introspection endpoint",
    expected: "only POST is allowed; the response has no CORS header",
    source: "RFC 7662 §2.1",
  },
  "IN-12": {
    rule: "introspection by a resource server",
    expected:
      "an access token of any client is reported as active if the token has a scope of the resource server; tokens of other clients without such a scope are reported as `active: false`",
    source: "RFC 7662 §2.2, §4",
  },
};
