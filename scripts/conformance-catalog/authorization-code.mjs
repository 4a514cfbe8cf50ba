/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const AUTHORIZATION_CODE = {
  "AC-01": {
    rule: "a valid code exchange by a confidential client",
    expected: "200 with an access token, a refresh token and the allowed scopes",
    source: "RFC 6749 §4.1.4",
  },
  "AC-02": {
    rule: "a token request without `code`",
    expected: "400 `invalid_request`",
    source: "RFC 6749 §4.1.3, §5.2",
  },
  "AC-03": {
    rule: "a code exchange without `redirect_uri`",
    expected: "400 `invalid_request`; the authorization code stays valid",
    source: "RFC 6749 §4.1.3",
  },
  "AC-04": {
    rule: "a `redirect_uri` that differs from the `redirect_uri` of the authorization request",
    expected: "400 `invalid_grant`; the authorization code stays valid",
    source: "RFC 6749 §4.1.3, §5.2",
  },
  "AC-05": {
    rule: "an authorization code that is unknown, expired or used",
    expected: "400 `invalid_grant`",
    source: "RFC 6749 §5.2",
  },
  "AC-06": {
    rule: "an authorization code that was issued to another client",
    expected: "400 `invalid_grant`; the client that received the authorization code can still exchange it",
    source: "RFC 6749 §4.1.3",
  },
  "AC-07": {
    rule: "a second use of an authorization code",
    expected:
      "400 `invalid_grant`; a second use after the time `code_reuse_leeway` revokes all tokens that were issued for the code",
    source: "RFC 6749 §4.1.2, §10.5",
  },
  "AC-08": {
    rule: "a second use of an authorization code, without valid client authentication",
    expected: "401 `invalid_client`; the tokens from the first use stay valid",
    source: "RFC 6749 §10.5",
  },
  "AC-09": {
    rule: "a code exchange with a wrong code verifier, followed by an exchange with the correct code verifier",
    expected: "400 `invalid_grant`, then 200",
    source: "RFC 7636 §4.6",
  },
  "AC-10": {
    rule: "the parameter `scope` in a code exchange",
    expected: "the token endpoint ignores the parameter",
    source: "RFC 6749 §4.1.3",
  },
  "AC-11": {
    rule: "a loopback redirect URI whose port differs between the authorization request and the code exchange",
    expected: "400 `invalid_grant`",
    source: "RFC 6749 §4.1.3",
  },
};
