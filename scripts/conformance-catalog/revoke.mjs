/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const REVOKE = {
  "RV-01": {
    rule: "the access token of the client",
    expected: "200 `{}`; access and refresh token are revoked",
    source: "RFC 7009 §2.1; Gatehouse specification, Endpoints",
  },
  "RV-02": {
    rule: "the refresh token of the client",
    expected: "200 `{}`; access and refresh token are revoked",
    source: "RFC 7009 §2.1",
  },
  "RV-03": {
    rule: "a token that is already revoked",
    expected: "200 `{}`; nothing changes",
    source: "RFC 7009 §2.2",
  },
  "RV-04": { rule: "an unknown token", expected: "200 `{}`", source: "RFC 7009 §2.2" },
  "RV-05": { rule: "a request without `token`", expected: "400 `invalid_request`", source: "RFC 7009 §2.1" },
  "RV-06": {
    rule: "a wrong or unknown `token_type_hint`",
    expected: "the token is revoked",
    source: "RFC 7009 §2.1",
  },
  "RV-07": {
    rule: "a public client with its `client_id`",
    expected: "200; its token is revoked",
    source: "RFC 7009 §2.1",
  },
  "RV-08": {
    rule: "no client, wrong credentials, or the token of another client",
    expected: "403 `unauthorized_client`; the token stays valid",
    source: "RFC 7009 §2.1",
  },
  "RV-09": {
    rule: "a token that was issued without a client",
    expected: "200 from any holder or client; wrong client credentials: 403 `unauthorized_client`",
    source: "RFC 7009 §2.1",
  },
  "RV-10": {
    rule: "a token whose access token has expired",
    expected: "the refresh token is revoked",
    source: "RFC 7009 §2.1",
  },
  "RV-11": {
    rule: "two sets of client credentials",
    expected: "400 `invalid_request`; the token stays valid",
    source: "RFC 6749 §2.3",
  },
  "RV-12": {
    rule: "a code, device code or ID token as `token`",
    expected: "200 `{}`; nothing changes",
    source: "RFC 7009 §2.2",
  },
  "RV-13": {
    rule: "a revocation while the token is refreshed",
    expected: "no token of the grant stays valid",
    source: "RFC 7009 §2.1",
  },
};
