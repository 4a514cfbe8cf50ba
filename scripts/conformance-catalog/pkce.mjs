/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const PKCE = {
  "PK-01": {
    rule: "a code exchange by a public client with `S256` and the code verifier",
    expected: "200 with a refresh token, although the client sends no secret",
    source: "RFC 7636 §4.6; Gatehouse specification, Endpoints",
  },
  "PK-02": {
    rule: "a code exchange by a confidential client with `S256`, the code verifier and the client secret",
    expected:
      "200; a wrong client secret gets 401 `invalid_client`; a wrong code verifier gets 400 `invalid_grant`",
    source: "RFC 9700 §2.1.1",
  },
  "PK-03": {
    rule: "a code challenge with the `code_challenge_method` `plain`, `s256` or `S512`, or without a method",
    expected: "redirect with `invalid_request`",
    source: "RFC 7636 §4.4.1; RFC 9700 §2.1.1",
  },
  "PK-04": {
    rule: "a `code_challenge_method` without a challenge",
    expected:
      "a public client gets a redirect with `invalid_request`; the request of a confidential client is handled as a request without PKCE",
    source: "RFC 7636 §4.4.1; decision 0036",
  },
  "PK-05": {
    rule: "a code challenge that does not consist of 43 base64url characters",
    expected: "redirect with `invalid_request`",
    source: "RFC 7636 §4.2",
  },
  "PK-06": {
    rule: "a missing or empty code verifier, although the authorization request had a code challenge",
    expected: "400 `invalid_request`",
    source: "RFC 7636 §4.5",
  },
  "PK-07": {
    rule: "a code verifier of 42 or 129 characters, or with characters that are not allowed",
    expected: "400 `invalid_request`, even if the code verifier matches the code challenge",
    source: "RFC 7636 §4.1; Gatehouse specification, Limits",
  },
  "PK-08": {
    rule: "a well-formed code verifier that does not match the code challenge",
    expected: "400 `invalid_grant`; the authorization code stays valid",
    source: "RFC 7636 §4.6",
  },
  "PK-09": {
    rule: "code verifiers of 43 and of 128 characters that contain each of `-._~`",
    expected: "200",
    source: "RFC 7636 §4.1; Gatehouse specification, Endpoints",
  },
  "PK-10": {
    rule: "a code verifier, although the authorization request had no code challenge",
    expected: "400 `invalid_grant`",
    source: "RFC 9700 §4.8.2",
  },
  "PK-11": {
    rule: "an authorization request of a public client without a code challenge",
    expected: "redirect with `invalid_request`",
    source: "RFC 9700 §2.1.1",
  },
  "PK-12": {
    rule: "the parameter `code_challenge_method` in a code exchange",
    expected: "the token endpoint ignores the parameter",
    source: "RFC 6749 §3.2",
  },
  "PK-13": {
    rule: "a code exchange with the authorization code of one flow and the code verifier of another flow",
    expected: "400 `invalid_grant`",
    source: "RFC 9700 §4.5.3",
  },
  "PK-14": {
    rule: "PKCE in the metadata",
    expected: '`code_challenge_methods_supported` is `["S256"]`',
    source: "RFC 8414 §2",
  },
};
