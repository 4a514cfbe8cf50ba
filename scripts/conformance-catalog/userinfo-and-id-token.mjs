/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const USERINFO_AND_ID_TOKEN = {
  "UI-01": {
    rule: "GET and POST with a token that has `openid`",
    expected: "200 with the `sub` and the claims of the ID token",
    source: "OpenID Connect Core §5.3",
  },
  "UI-02": {
    rule: "POST with `access_token` in the form",
    expected: "200",
    source: "OpenID Connect Core §5.3.1; RFC 6750 §2.2",
  },
  "UI-03": {
    rule: "a request without a token",
    expected: "401 with `WWW-Authenticate: Bearer` and no error code in it",
    source: "RFC 6750 §3.1",
  },
  "UI-04": {
    rule: "an unknown, expired or revoked token",
    expected: "401 `invalid_token`, in the response and in the challenge",
    source: "OpenID Connect Core §5.3.3; RFC 6750 §3.1",
  },
  "UI-05": {
    rule: "a token without `openid`",
    expected: "403 `insufficient_scope`, in the response and in the challenge",
    source: "RFC 6750 §3.1",
  },
  "UI-06": {
    rule: "the claims by scope",
    expected: "`openid`: `sub`, profile claims and `groups`; `email` and `email_verified` need `email`",
    source: "OpenID Connect Core §5.4; decision 0038",
  },
  "UI-07": { rule: "the token of a blocked user", expected: "401 `invalid_token`", source: "RFC 6750 §3.1" },
  "UI-08": {
    rule: "U+0000, CR LF or malformed encoding in the token",
    expected: "400 or 401; no header is injected",
    source: "RFC 6750 §3.1",
  },
  "ID-01": {
    rule: "an exchange with and without `openid`",
    expected: "with: an ID token; without: none",
    source: "OpenID Connect Core §3.1.3.3",
  },
  "ID-02": {
    rule: "the header of an ID token",
    expected: "`alg` RS256 and the `kid` of a published key",
    source: "OpenID Connect Core §2; RFC 7515 §4.1",
  },
  "ID-03": {
    rule: "the claims of an ID token",
    expected: "`iss`, `sub`, `aud`, `exp` 120 s after `iat`, `auth_time`, and the `nonce` of the request",
    source: "OpenID Connect Core §2",
  },
  "ID-04": {
    rule: "`at_hash`",
    expected: "the left half of the SHA-256 of the access token, base64url",
    source: "OpenID Connect Core §3.1.3.6",
  },
};
