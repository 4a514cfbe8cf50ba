/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const CLIENT_ASSERTIONS = {
  "CA-01": {
    rule: "`client_assertion` signed with a registered private key, at token, revocation and introspection",
    expected: "the client is authenticated; no secret is needed",
    source: "RFC 7523 §2.2; OpenID Connect Core §9",
  },
  "CA-02": {
    rule: "`client_assertion` signed with the secret of an application (`client_secret_jwt`, HS256)",
    expected: "the client is authenticated; its secret is refused in the form and in HTTP Basic",
    source: "RFC 7523 §2.2; OpenID Connect Core §9",
  },
  "CA-03": {
    rule: "an assertion with wrong `iss`, `sub`, `aud`, `exp`, `nbf` or `jti`, or of another client",
    expected: "`invalid_client`; `exp` may be at most 5 minutes in the future, with a tolerance of 1 minute",
    source: "RFC 7523 §3",
  },
  "CA-04": {
    rule: "an assertion whose signature is wrong, or whose algorithm does not match the method, such as HS256 with a public key, or `none`",
    expected: "`invalid_client`",
    source: "RFC 7515 §10.6; RFC 8725 §3.1",
  },
  "CA-05": {
    rule: "an assertion that is sent twice, even simultaneously to several processes",
    expected: "exactly one request succeeds; the others get `invalid_client`",
    source: "RFC 7523 §3",
  },
  "CA-06": {
    rule: "an assertion together with HTTP Basic or `client_secret`, or without its type",
    expected: "`invalid_request`",
    source: "RFC 6749 §2.3",
  },
};
