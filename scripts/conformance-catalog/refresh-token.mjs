/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const REFRESH_TOKEN = {
  "RT-01": {
    rule: "a token refresh by a confidential client without `redirect_uri`",
    expected:
      "200 with a new access token and a new refresh token, which have the same scopes and the full lifetime",
    source: "RFC 6749 §6; Gatehouse specification, States and transitions",
  },
  "RT-02": {
    rule: "a token refresh by a public client with its `client_id`",
    expected: "200",
    source: "RFC 6749 §6",
  },
  "RT-03": {
    rule: "a request with the previous access token after a token refresh",
    expected: "the API, token info and userinfo respond with 401",
    source: "Gatehouse specification, States and transitions",
  },
  "RT-04": {
    rule: "a token refresh after the access token has expired",
    expected: "200",
    source: "Gatehouse specification, States and transitions",
  },
  "RT-05": {
    rule: "a token refresh without `refresh_token`",
    expected: "400 `invalid_request`",
    source: "RFC 6749 §6, §5.2",
  },
  "RT-06": {
    rule: "an unknown value, an access token or an authorization code that is sent as the refresh token",
    expected: "400 `invalid_grant`; the access token stays valid",
    source: "RFC 6749 §5.2",
  },
  "RT-07": {
    rule: "a refresh token that was issued to another client",
    expected: "400 `invalid_grant`; the client that received the refresh token can still use the token",
    source: "RFC 6749 §6",
  },
  "RT-08": {
    rule: "a token refresh by a confidential client without a client secret or with a wrong client secret, or a token refresh without a client",
    expected:
      "401 `invalid_client`; a request without a client gets 400 `invalid_grant`; the refresh token stays valid",
    source: "RFC 6749 §6, §5.2",
  },
  "RT-09": {
    rule: "a revoked refresh token",
    expected: "400 `invalid_grant`; 401 `invalid_client` if the application was deleted",
    source: "RFC 6749 §5.2",
  },
  "RT-10": {
    rule: "a second use of a refresh token",
    expected: "400 `invalid_grant`",
    source: "RFC 9700 §4.14.2",
  },
  "RT-11": {
    rule: "a second use of a refresh token after the time `refresh_reuse_leeway`",
    expected: "400 `invalid_grant`; the whole token family is revoked, and an audit event is recorded",
    source: "RFC 9700 §4.14.2; decision 0007",
  },
  "RT-12": {
    rule: "a second use of a refresh token within the time `refresh_reuse_leeway`",
    expected:
      "400 `invalid_grant`; the token family stays valid; within `refresh_retry_window`, the same client gets the identical response",
    source: "RFC 9700 §4.14.2; decision 0007",
  },
  "RT-13": {
    rule: "a token refresh with a scope that the grant does not have",
    expected: "400 `invalid_scope`; the refresh token stays valid",
    source: "RFC 6749 §6",
  },
  "RT-14": {
    rule: "a token refresh with fewer scopes than the grant has",
    expected:
      "the response and the new access token have only the requested scopes; the next refresh can request the original scopes again",
    source: "RFC 6749 §6",
  },
  "RT-15": {
    rule: "the parameter `redirect_uri` in a token refresh",
    expected:
      "the `redirect_uri` of the authorization request gets 200; a different `redirect_uri` gets 400 `invalid_grant`; a refresh without `redirect_uri` gets 200, or 400 `invalid_request` if the setting `refresh_requires_redirect_uri` is on",
    source: "Gatehouse specification, Authentication",
  },
  "RT-16": {
    rule: "the parameter `code_verifier` in a token refresh for a grant with PKCE",
    expected: "a correct or absent code verifier gets 200; a wrong code verifier gets 400 `invalid_grant`",
    source: "Gatehouse specification, Endpoints",
  },
  "RT-17": {
    rule: "a token refresh after the user has withdrawn the consent or was blocked",
    expected: "400 `invalid_grant`; requests with the access tokens get 401",
    source: "RFC 6749 §10.4; RFC 7009 §2.1",
  },
  "RT-18": {
    rule: "a token refresh for a grant with the scope `openid`",
    expected:
      "a new ID token with the same `iss`, `sub`, `aud` and `auth_time`, with a new `iat`, and without `nonce`",
    source: "OpenID Connect Core §12.2",
  },
  "RT-19": {
    rule: "a refresh token that is older than `refresh_token_idle_limit` or `refresh_token_absolute_limit` allows",
    expected: "400 `invalid_grant`",
    source: "RFC 9700 §4.14.2",
  },
  "RT-20": {
    rule: "200 token refreshes, one after the other",
    expected: "each refresh token succeeds once; only the tokens of the last refresh are valid",
    source: "RFC 6749 §6",
  },
};
