/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const USERINFO_AND_ID_TOKEN = {
  "UI-01": {
    rule: "a GET or POST request with a token that has the scope `openid`",
    expected: "200 with the `sub` and the claims of the ID token",
    source: "OpenID Connect Core §5.3",
  },
  "UI-02": {
    rule: "a POST request with `access_token` in the form",
    expected: "200",
    source: "OpenID Connect Core §5.3.1; RFC 6750 §2.2",
  },
  "UI-03": {
    rule: "a request without a token",
    expected: "401 with `WWW-Authenticate: Bearer`, which contains no error code",
    source: "RFC 6750 §3.1",
  },
  "UI-04": {
    rule: "an unknown, expired or revoked token",
    expected: "401 `invalid_token`, in the response and in the challenge",
    source: "OpenID Connect Core §5.3.3; RFC 6750 §3.1",
  },
  "UI-05": {
    rule: "a token without the scope `openid`",
    expected: "403 `insufficient_scope`, in the response and in the challenge",
    source: "RFC 6750 §3.1",
  },
  "UI-06": {
    rule: "the claims that each scope allows",
    expected:
      "`openid` allows `sub`, the profile claims and `groups`; `email` and `email_verified` require the scope `email`",
    source: "OpenID Connect Core §5.4; decision 0038",
  },
  "UI-07": { rule: "the token of a blocked user", expected: "401 `invalid_token`", source: "RFC 6750 §3.1" },
  "UI-08": {
    rule: "U+0000, CR LF or a malformed encoding in the token",
    expected: "status 400 or 401; no header is injected",
    source: "RFC 6750 §3.1",
  },
  "ID-01": {
    rule: "an exchange with the scope `openid`, and an exchange without this scope",
    expected: "only the response with the scope `openid` contains an ID token",
    source: "OpenID Connect Core §3.1.3.3",
  },
  "ID-02": {
    rule: "the header of an ID token",
    expected: "`alg` is RS256 by default, and `kid` is the id of a published key",
    source: "OpenID Connect Core §2; RFC 7515 §4.1",
  },
  "ID-03": {
    rule: "the claims of an ID token",
    expected: "`iss`, `sub`, `aud`, `exp` (120 s after `iat`), `auth_time`, and the `nonce` of the request",
    source: "OpenID Connect Core §2",
  },
  "ID-04": {
    rule: "the claim `at_hash`",
    expected: "the left half of the SHA-256 digest of the access token, in base64url",
    source: "OpenID Connect Core §3.1.3.6",
  },
};
