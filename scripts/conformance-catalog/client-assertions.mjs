/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const CLIENT_ASSERTIONS = {
  "CA-01": {
    rule: "a `client_assertion` that is signed with a registered private key, at the token, revocation and introspection endpoints",
    expected: "the client is authenticated without a client secret",
    source: "RFC 7523 §2.2; OpenID Connect Core §9",
  },
  "CA-02": {
    rule: "a `client_assertion` that is signed with the secret of an application (`client_secret_jwt`, HS256)",
    expected:
      "the client is authenticated; the client secret itself is refused in the request body and in HTTP Basic",
    source: "RFC 7523 §2.2; OpenID Connect Core §9",
  },
  "CA-03": {
    rule: "a client assertion with a wrong `iss`, `sub`, `aud`, `exp`, `nbf` or `jti`, or the client assertion of another client",
    expected: "`invalid_client`; `exp` may be at most 5 minutes in the future, with a tolerance of 1 minute",
    source: "RFC 7523 §3",
  },
  "CA-04": {
    rule: "a client assertion with a wrong signature, or with an algorithm that does not match the authentication method, such as `none`, or HS256 with a public key",
    expected: "`invalid_client`",
    source: "RFC 7515 §10.6; RFC 8725 §3.1",
  },
  "CA-05": {
    rule: "a client assertion that is sent twice, even simultaneously to several processes",
    expected: "exactly one request succeeds; all other requests get `invalid_client`",
    source: "RFC 7523 §3",
  },
  "CA-06": {
    rule: "a client assertion together with HTTP Basic or `client_secret`, or a client assertion without `client_assertion_type`",
    expected: "`invalid_request`",
    source: "RFC 6749 §2.3",
  },
  "CA-07": {
    rule: "a client assertion while the server cannot fetch the JWKS URL of the client",
    expected:
      "the server uses the last fetched keys for a day, and requests the URL at most every 30 seconds; without a key that fits the assertion, the response is 503 with `temporarily_unavailable`",
    source: "decision 0090",
  },
};
