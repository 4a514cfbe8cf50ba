/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const TOKEN_USE = {
  "US-01": {
    rule: "`GET /api/v4/user` with a token in the header or the query",
    expected: "200",
    source: "Gatehouse specification, Endpoints; RFC 6750 §2",
  },
  "US-02": {
    rule: "no token or an unknown one",
    expected: '401 `{"message":"401 Unauthorized"}`; the challenge has no error code',
    source: "RFC 6750 §3.1; GitLab documentation, REST API authentication",
  },
  "US-03": {
    rule: "an expired or revoked token",
    expected: "401 `invalid_token`; the description says whether it is expired or revoked",
    source: "RFC 6750 §3.1",
  },
  "US-04": {
    rule: "a token with an insufficient scope",
    expected: "403 `insufficient_scope` with the required scopes in `scope`",
    source: "RFC 6750 §3.1",
  },
  "US-05": { rule: "a refresh token or a code as access token", expected: "401", source: "RFC 6750 §3.1" },
  "US-06": {
    rule: "Git over HTTP with the user `oauth2` and a token as password",
    expected: "accepted for that user name only; `read_repository` cannot push (403)",
    source: "Gatehouse specification, Authentication",
  },
  "US-07": {
    rule: "the header `PRIVATE-TOKEN`",
    expected: "accepted like the header `Authorization`, for OAuth tokens and personal access tokens",
    source: "Gatehouse specification, Authentication",
  },
  "US-08": {
    rule: "a revocation or rotation",
    expected: "effective on the next request",
    source: "RFC 7009 §2.1",
  },
};
