/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const AUTHORIZATION_CODE = {
  "AC-01": {
    rule: "a valid exchange by a confidential client",
    expected: "200 with access and refresh token and the allowed scopes",
    source: "RFC 6749 §4.1.4",
  },
  "AC-02": {
    rule: "an exchange without `code`",
    expected: "400 `invalid_request`",
    source: "RFC 6749 §4.1.3, §5.2",
  },
  "AC-03": {
    rule: "an exchange without `redirect_uri`",
    expected: "400 `invalid_request`; the code stays valid",
    source: "RFC 6749 §4.1.3",
  },
  "AC-04": {
    rule: "a `redirect_uri` that differs from the `redirect_uri` of the authorization request",
    expected: "400 `invalid_grant`; the code stays valid",
    source: "RFC 6749 §4.1.3, §5.2",
  },
  "AC-05": {
    rule: "a code that is unknown, expired or used",
    expected: "400 `invalid_grant`",
    source: "RFC 6749 §5.2",
  },
  "AC-06": {
    rule: "a code of another client",
    expected: "400 `invalid_grant`; its owner can still exchange it",
    source: "RFC 6749 §4.1.3",
  },
  "AC-07": {
    rule: "a second use of a code",
    expected:
      "400 `invalid_grant`; after `code_reuse_leeway`, all tokens that were issued for the code are revoked",
    source: "RFC 6749 §4.1.2, §10.5",
  },
  "AC-08": {
    rule: "a second use without valid client authentication",
    expected: "401 `invalid_client`; the first tokens stay valid",
    source: "RFC 6749 §10.5",
  },
  "AC-09": {
    rule: "a wrong verifier, then the correct one",
    expected: "400 `invalid_grant`, then 200",
    source: "RFC 7636 §4.6",
  },
  "AC-10": { rule: "`scope` in the exchange", expected: "ignored", source: "RFC 6749 §4.1.3" },
  "AC-11": {
    rule: "a loopback redirect URI whose port differs between authorization request and exchange",
    expected: "400 `invalid_grant`",
    source: "RFC 6749 §4.1.3",
  },
};
