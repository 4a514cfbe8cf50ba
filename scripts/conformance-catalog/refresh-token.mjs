/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const REFRESH_TOKEN = {
  "RT-01": {
    rule: "a refresh by a confidential client without `redirect_uri`",
    expected: "200 with a new access and a new refresh token, the same scopes and the full lifetime",
    source: "RFC 6749 §6; Gatehouse specification, States and transitions",
  },
  "RT-02": {
    rule: "a refresh by a public client with its `client_id`",
    expected: "200",
    source: "RFC 6749 §6",
  },
  "RT-03": {
    rule: "the previous access token after a refresh",
    expected: "401 at the API, token info and userinfo",
    source: "Gatehouse specification, States and transitions",
  },
  "RT-04": {
    rule: "a refresh after the access token has expired",
    expected: "200",
    source: "Gatehouse specification, States and transitions",
  },
  "RT-05": {
    rule: "a refresh without `refresh_token`",
    expected: "400 `invalid_request`",
    source: "RFC 6749 §6, §5.2",
  },
  "RT-06": {
    rule: "an unknown value, an access token or a code as refresh token",
    expected: "400 `invalid_grant`; the access token stays valid",
    source: "RFC 6749 §5.2",
  },
  "RT-07": {
    rule: "the refresh token of another client",
    expected: "400 `invalid_grant`; its owner can still use it",
    source: "RFC 6749 §6",
  },
  "RT-08": {
    rule: "a confidential client without a secret or with a wrong one; no client",
    expected: "401 `invalid_client`; without a client 400 `invalid_grant`; the token stays valid",
    source: "RFC 6749 §6, §5.2",
  },
  "RT-09": {
    rule: "a revoked refresh token",
    expected: "400 `invalid_grant`; 401 `invalid_client` where the application is deleted",
    source: "RFC 6749 §5.2",
  },
  "RT-10": { rule: "a rotated refresh token", expected: "400 `invalid_grant`", source: "RFC 9700 §4.14.2" },
  "RT-11": {
    rule: "a rotated refresh token after `refresh_reuse_leeway`",
    expected: "400 `invalid_grant`; the whole token family is revoked and an audit event is recorded",
    source: "RFC 9700 §4.14.2; decision 0007",
  },
  "RT-12": {
    rule: "a rotated refresh token within `refresh_reuse_leeway`",
    expected:
      "400 `invalid_grant`; the family stays valid. With `refresh_retry_window` the same client gets the identical response",
    source: "RFC 9700 §4.14.2; decision 0007",
  },
  "RT-13": {
    rule: "a scope beyond the grant",
    expected: "400 `invalid_scope`; the token stays valid",
    source: "RFC 6749 §6",
  },
  "RT-14": {
    rule: "a narrower scope",
    expected:
      "the new access token and the response have the narrower scope; the next refresh can request the original scopes again",
    source: "RFC 6749 §6",
  },
  "RT-15": {
    rule: "`redirect_uri` in a refresh",
    expected:
      "equal or absent: 200; different: 400 `invalid_grant`; with `refresh_requires_redirect_uri` absent: 400 `invalid_request`",
    source: "Gatehouse specification, Authentication",
  },
  "RT-16": {
    rule: "`code_verifier` in a refresh of a PKCE grant",
    expected: "correct or absent: 200; wrong: 400 `invalid_grant`",
    source: "Gatehouse specification, Endpoints",
  },
  "RT-17": {
    rule: "a user who withdraws consent or is blocked",
    expected: "400 `invalid_grant`; the access tokens get 401",
    source: "RFC 6749 §10.4; RFC 7009 §2.1",
  },
  "RT-18": {
    rule: "a refresh of a grant with `openid`",
    expected: "a new ID token with the same `iss`, `sub`, `aud` and `auth_time`, a new `iat`, and no `nonce`",
    source: "OpenID Connect Core §12.2",
  },
  "RT-19": {
    rule: "a refresh token beyond `refresh_token_idle_limit` or `refresh_token_absolute_limit`",
    expected: "400 `invalid_grant`",
    source: "RFC 9700 §4.14.2",
  },
  "RT-20": {
    rule: "200 rotations in a row",
    expected: "each succeeds once; one token of the family stays valid",
    source: "RFC 6749 §6",
  },
};
