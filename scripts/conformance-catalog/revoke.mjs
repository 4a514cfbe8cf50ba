/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const REVOKE = {
  "RV-01": {
    rule: "revocation of the access token of the requesting client",
    expected: "200 `{}`; the access token and the refresh token are revoked",
    source: "RFC 7009 §2.1; Gatehouse specification, Endpoints",
  },
  "RV-02": {
    rule: "revocation of the refresh token of the requesting client",
    expected: "200 `{}`; the access token and the refresh token are revoked",
    source: "RFC 7009 §2.1",
  },
  "RV-03": {
    rule: "revocation of a token that is already revoked",
    expected: "200 `{}`; no data changes",
    source: "RFC 7009 §2.2",
  },
  "RV-04": { rule: "revocation of an unknown token", expected: "200 `{}`", source: "RFC 7009 §2.2" },
  "RV-05": {
    rule: "a revocation request without `token`",
    expected: "400 `invalid_request`",
    source: "RFC 7009 §2.1",
  },
  "RV-06": {
    rule: "a revocation request with a wrong or unknown `token_type_hint`",
    expected: "the server revokes the token regardless of the hint",
    source: "RFC 7009 §2.1",
  },
  "RV-07": {
    rule: "a revocation request of a public client with its `client_id`",
    expected: "200; the token of the client is revoked",
    source: "RFC 7009 §2.1",
  },
  "RV-08": {
    rule: "a revocation request without a client, with wrong credentials, or with the token of another client",
    expected: "403 `unauthorized_client`; the token stays valid",
    source: "RFC 7009 §2.1",
  },
  "RV-09": {
    rule: "revocation of a token that was issued without a client",
    expected:
      "a request without a client gets 200; a request of any client gets 200; wrong client credentials get 403 `unauthorized_client`",
    source: "RFC 7009 §2.1",
  },
  "RV-10": {
    rule: "revocation of an access token that has expired",
    expected: "the refresh token is revoked",
    source: "RFC 7009 §2.1",
  },
  "RV-11": {
    rule: "two different client credentials in one revocation request",
    expected: "400 `invalid_request`; the token stays valid",
    source: "RFC 6749 §2.3",
  },
  "RV-12": {
    rule: "a revocation request with an authorization code, a device code or an ID token as `token`",
    expected: "200 `{}`; no data changes",
    source: "RFC 7009 §2.2",
  },
  "RV-13": {
    rule: "a revocation while the token is being refreshed",
    expected: "no token of the grant stays valid",
    source: "RFC 7009 §2.1",
  },
};
