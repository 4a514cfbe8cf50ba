/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const USERINFO_AND_ID_TOKEN = {
  "UI-01": {
    rule: "a GET or POST userinfo request with a token that has the scope `openid`",
    expected: "200 with the `sub` and the claims of the ID token",
    source: "OpenID Connect Core §5.3",
  },
  "UI-02": {
    rule: "a POST userinfo request with `access_token` in the body",
    expected: "200",
    source: "OpenID Connect Core §5.3.1; RFC 6750 §2.2",
  },
  "UI-03": {
    rule: "a userinfo request without a token",
    expected: "401 with `WWW-Authenticate: Bearer`, which contains no error code",
    source: "RFC 6750 §3.1",
  },
  "UI-04": {
    rule: "a userinfo request with an unknown, expired or revoked token",
    expected: "401 `invalid_token`, in the body and in the header `WWW-Authenticate`",
    source: "OpenID Connect Core §5.3.3; RFC 6750 §3.1",
  },
  "UI-05": {
    rule: "a userinfo request with a token that does not have the scope `openid`",
    expected: "403 `insufficient_scope`, in the body and in the header `WWW-Authenticate`",
    source: "RFC 6750 §3.1",
  },
  "UI-06": {
    rule: "the claims that each scope allows",
    expected:
      "`openid` allows `sub`, the profile claims and `groups`; `email` and `email_verified` require the scope `email`",
    source: "OpenID Connect Core §5.4; decision 0038",
  },
  "UI-07": {
    rule: "a userinfo request with the token of a blocked user",
    expected: "401 `invalid_token`",
    source: "RFC 6750 §3.1",
  },
  "UI-08": {
    rule: "a userinfo request whose token contains U+0000, CR LF or a malformed encoding",
    expected: "status 400 or 401; no header is injected",
    source: "RFC 6750 §3.1",
  },
  "ID-01": {
    rule: "a code exchange with the scope `openid`, and a code exchange without this scope",
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
