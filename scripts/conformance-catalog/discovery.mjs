/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const DISCOVERY = {
  "DC-01": {
    rule: "a GET request to each of the two metadata URLs",
    expected: "200 with identical JSON at both URLs; `issuer` is equal to `iss` in ID tokens",
    source: "OpenID Connect Discovery §4.2, §4.3; RFC 8414 §3",
  },
  "DC-02": {
    rule: "the members of the metadata",
    expected:
      "the endpoints, the scopes, the response type `code`, the grant types (the device grant by its URN), the client authentication methods, `S256` and the claims",
    source: "RFC 8414 §2; RFC 8628 §4; OpenID Connect Discovery §3",
  },
  "DC-03": {
    rule: "a comparison of the metadata with the behavior of the server",
    expected:
      "the endpoints, grant types and client authentication methods in the metadata work; disabled endpoints, grant types and methods are missing from the metadata",
    source: "RFC 8414 §2; OpenID Connect Discovery §3",
  },
  "DC-04": {
    rule: "the scheme and the host of all endpoints in the metadata",
    expected: "all endpoints have the scheme and the host of the issuer",
    source: "RFC 8414 §2",
  },
  "DC-05": {
    rule: "a request to `/oauth/registration`, which is not the URL of the registration endpoint",
    expected: "404",
    source: "RFC 7591 §3",
  },
  "JW-01": {
    rule: "GET `/oauth/discovery/keys`",
    expected: "200 with only the public members of the signing keys; RSA keys have 2,048 bits",
    source: "RFC 7517 §4, §5",
  },
  "JW-02": {
    rule: "caching of the key set",
    expected: "`Cache-Control: public` with a `max-age` of at most a day",
    source: "OpenID Connect Core §10.1.1",
  },
  "JW-03": {
    rule: "an immediate key rotation (`gatehouse keys rotate --now`)",
    expected: "new ID tokens contain the new `kid`; older ID tokens can still be verified",
    source: "OpenID Connect Core §10.1.1",
  },
  "JW-04": {
    rule: "ID tokens of a client with the algorithm ES256 or EdDSA",
    expected:
      "the ID token is signed with the algorithm of the client, and a published key verifies the signature; `at_hash` uses the hash function of the algorithm",
    source: "RFC 7518 §3.4; RFC 8037 §3.1; OpenID Connect Core §3.1.3.6",
  },
  "JW-05": {
    rule: "a rotation of signing keys by schedule or with `gatehouse keys rotate`",
    expected: "a new key is published for a day before the server signs with the key",
    source: "OpenID Connect Core §10.1.1",
  },
  "JW-06": {
    rule: "the first key of an algorithm",
    expected:
      "the key is published when an application selects the algorithm; before, the JWK Set contains only RSA keys",
    source: "OpenID Connect Core §10.1.1; decision 0095",
  },
  "JW-07": {
    rule: "a withdrawal of leaked signing keys (`gatehouse keys rotate --withdraw`)",
    expected: "the JWK Set contains only new keys; tokens that the old keys signed cannot be verified",
    source: "decision 0095",
  },
  "CO-01": {
    rule: "a preflight request with `Authorization` for `/oauth/token`, `/oauth/revoke` or `/oauth/userinfo`",
    expected:
      "the response allows the origin `*`, the methods of the endpoint and the header `Authorization`, but no credentials",
    source: "Gatehouse specification, What the service does; Fetch Standard, CORS protocol",
  },
  "CO-02": {
    rule: "a preflight request that names a header that is not allowed, such as `X-Requested-With`",
    expected: "no `Access-Control-*` header",
    source: "Gatehouse specification, Limits",
  },
  "CO-03": {
    rule: "success and error responses to cross-origin requests to the endpoints in CO-01",
    expected: "`Access-Control-Allow-Origin: *`, without credentials",
    source: "Fetch Standard, CORS protocol; RFC 9700 §2.6",
  },
  "CO-04": {
    rule: "cross-origin requests for the metadata, the key set or token info",
    expected: "`Access-Control-Allow-Origin: *`",
    source: "RFC 9700 §2.6",
  },
  "CO-05": {
    rule: "cross-origin requests to the authorization, device and introspection endpoints, and to the sign-in and applications pages",
    expected: "no `Access-Control-*` header",
    source: "RFC 9700 §2.6",
  },
  "CO-06": {
    rule: "requests with `Origin: null`, `file://` or an unusual origin",
    expected: "the response allows `*` as for any other origin, and never allows credentials",
    source: "Fetch Standard, CORS protocol",
  },
  "CO-07": {
    rule: "a single-page application of another origin in Chromium",
    expected:
      "the authorization code flow with PKCE, userinfo and revocation work; the browser blocks requests with `X-Requested-With` or credentials",
    source: "Gatehouse specification, What the service does",
  },
};
