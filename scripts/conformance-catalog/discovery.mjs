/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const DISCOVERY = {
  "DC-01": {
    rule: "GET of both metadata URLs",
    expected: "200 with the same JSON; `issuer` is the `iss` of ID tokens",
    source: "OpenID Connect Discovery §4.2, §4.3; RFC 8414 §3",
  },
  "DC-02": {
    rule: "the members of the metadata",
    expected:
      "the endpoints, scopes, `code`, grants (the device grant by its URN), authentication methods, `S256`, claims",
    source: "RFC 8414 §2; RFC 8628 §4; OpenID Connect Discovery §3",
  },
  "DC-03": {
    rule: "the metadata compared with the server",
    expected: "advertised endpoints, grants and methods work; disabled ones are absent",
    source: "RFC 8414 §2; OpenID Connect Discovery §3",
  },
  "DC-04": {
    rule: "the scheme and host of all endpoints",
    expected: "the scheme and host of the issuer",
    source: "RFC 8414 §2",
  },
  "DC-05": {
    rule: "an extension that is not supported: dynamic registration",
    expected: "404",
    source: "RFC 7591 §3",
  },
  "JW-01": {
    rule: "GET `/oauth/discovery/keys`",
    expected: "200 with RSA signing keys of 2,048 bits, public members only",
    source: "RFC 7517 §4, §5",
  },
  "JW-02": {
    rule: "caching of the key set",
    expected: "`public, max-age` of at most a day",
    source: "OpenID Connect Core §10.1.1",
  },
  "JW-03": {
    rule: "a key rotation",
    expected: "new ID tokens have the new `kid`; older ones still verify",
    source: "OpenID Connect Core §10.1.1",
  },
  "JW-04": {
    rule: "ID tokens of a client with the algorithm ES256 or EdDSA",
    expected:
      "a signature of this algorithm, by a published key; `at_hash` uses the hash function of the algorithm",
    source: "RFC 7518 §3.4; RFC 8037 §3.1; OpenID Connect Core §3.1.3.6",
  },
  "JW-05": {
    rule: "the rotation of keys at intervals",
    expected: "the new key is published for a day before it signs",
    source: "OpenID Connect Core §10.1.1",
  },
  "CO-01": {
    rule: "a preflight for `/oauth/token`, `/oauth/revoke`, `/oauth/userinfo` with `Authorization`",
    expected: "origin `*`, the methods of the endpoint, `Authorization` allowed, no credentials",
    source: "Gatehouse specification, What the service does; Fetch Standard, CORS protocol",
  },
  "CO-02": {
    rule: "a preflight that names another header, such as `X-Requested-With`",
    expected: "no `Access-Control-*` header",
    source: "Gatehouse specification, Limits",
  },
  "CO-03": {
    rule: "success and error responses of these endpoints to another origin",
    expected: "`Access-Control-Allow-Origin: *` and no credentials",
    source: "Fetch Standard, CORS protocol; RFC 9700 §2.6",
  },
  "CO-04": {
    rule: "metadata, key set and token info for another origin",
    expected: "`Access-Control-Allow-Origin: *`",
    source: "RFC 9700 §2.6",
  },
  "CO-05": {
    rule: "authorization, device, introspection, sign-in and applications pages for another origin",
    expected: "no `Access-Control-*` header",
    source: "RFC 9700 §2.6",
  },
  "CO-06": {
    rule: "`Origin: null`, `file://` and unusual origins",
    expected: "`*` as for any origin, never with credentials",
    source: "Fetch Standard, CORS protocol",
  },
  "CO-07": {
    rule: "a single-page application of another origin in Chromium",
    expected:
      "the PKCE flow, userinfo and revocation work; the browser blocks `X-Requested-With` and credentials",
    source: "Gatehouse specification, What the service does",
  },
};
