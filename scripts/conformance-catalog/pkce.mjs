/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const PKCE = {
  "PK-01": {
    rule: "a public client with `S256` and verifier",
    expected: "200 with a refresh token, without a secret",
    source: "RFC 7636 §4.6; Gatehouse specification, Endpoints",
  },
  "PK-02": {
    rule: "a confidential client with `S256`, verifier and secret",
    expected: "200; a wrong secret 401 `invalid_client`, a wrong verifier 400 `invalid_grant`",
    source: "RFC 9700 §2.1.1",
  },
  "PK-03": {
    rule: "`code_challenge_method` `plain`, absent, `s256` or `S512` with a challenge",
    expected: "redirect with `invalid_request`",
    source: "RFC 7636 §4.4.1; RFC 9700 §2.1.1",
  },
  "PK-04": {
    rule: "a method without a challenge",
    expected:
      "a public client: redirect with `invalid_request`; a confidential client: handled as a request without PKCE",
    source: "RFC 7636 §4.4.1; decision 0036",
  },
  "PK-05": {
    rule: "a challenge that is not 43 base64url characters",
    expected: "redirect with `invalid_request`",
    source: "RFC 7636 §4.2",
  },
  "PK-06": {
    rule: "a missing or empty verifier for a code with a challenge",
    expected: "400 `invalid_request`",
    source: "RFC 7636 §4.5",
  },
  "PK-07": {
    rule: "a verifier of 42 or 129 characters, or with other characters",
    expected: "400 `invalid_request`, even if it matches the challenge",
    source: "RFC 7636 §4.1; Gatehouse specification, Limits",
  },
  "PK-08": {
    rule: "a well-formed verifier that does not match",
    expected: "400 `invalid_grant`; the code stays valid",
    source: "RFC 7636 §4.6",
  },
  "PK-09": {
    rule: "a verifier of 43 and of 128 characters with each of `-._~`",
    expected: "200",
    source: "RFC 7636 §4.1; Gatehouse specification, Endpoints",
  },
  "PK-10": {
    rule: "a verifier for a code without a challenge",
    expected: "400 `invalid_grant`",
    source: "RFC 9700 §4.8.2",
  },
  "PK-11": {
    rule: "a public client without a challenge",
    expected: "redirect with `invalid_request`",
    source: "RFC 9700 §2.1.1",
  },
  "PK-12": { rule: "`code_challenge_method` in the exchange", expected: "ignored", source: "RFC 6749 §3.2" },
  "PK-13": {
    rule: "the code of one flow with the verifier of another flow",
    expected: "400 `invalid_grant`",
    source: "RFC 9700 §4.5.3",
  },
  "PK-14": {
    rule: "PKCE in the metadata",
    expected: '`code_challenge_methods_supported` is `["S256"]`',
    source: "RFC 8414 §2",
  },
};
