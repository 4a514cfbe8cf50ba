/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const TOKEN_INFO = {
  "TI-01": {
    rule: "a token info request with the token in the header `Authorization: Bearer`",
    expected:
      "200 with `resource_owner_id`, `scope`, `expires_in`, `application.uid`, `created_at`, and the aliases `scopes` and `expires_in_seconds`",
    source: "Gatehouse specification, Resources and their fields",
  },
  "TI-02": {
    rule: "a token info request with the token in the query parameter `access_token`",
    expected: "200 with the response of TI-01",
    source: "Gatehouse specification, Endpoints; RFC 6750 §2.3",
  },
  "TI-03": {
    rule: "the scheme `bearer` in lower case",
    expected: "200 with the response of TI-01",
    source: "RFC 9110 §11.1",
  },
  "TI-04": {
    rule: "a token info request without a token, with a refresh token, or with an unknown, expired or revoked token",
    expected: "401 `invalid_token` with `WWW-Authenticate: Bearer`",
    source: "RFC 6750 §3, §3.1",
  },
  "TI-05": {
    rule: "a token info request with different tokens in the header and in the query",
    expected: "400 `invalid_request`",
    source: "RFC 6750 §2",
  },
  "TI-06": {
    rule: "a token that was issued without a client",
    expected: "`application.uid` is null",
    source: "Gatehouse specification, Resources and their fields",
  },
  "TI-07": { rule: "a token with any scope", expected: "200", source: "Gatehouse specification, Endpoints" },
  "TI-08": {
    rule: "a token that never expires",
    expected: "`expires_in` and `expires_in_seconds` are null",
    source: "Gatehouse specification, Limits",
  },
};
