/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const TOKEN_USE = {
  "US-01": {
    rule: "`GET /api/v4/user` with a token in the header or the query",
    expected: "200",
    source: "Gatehouse specification, Endpoints; RFC 6750 §2",
  },
  "US-02": {
    rule: "an API request without a token or with an unknown token",
    expected: '401 `{"message":"401 Unauthorized"}`; the challenge has no error code',
    source: "RFC 6750 §3.1; GitLab documentation, REST API authentication",
  },
  "US-03": {
    rule: "an API request with an expired or revoked token",
    expected: "401 `invalid_token`; the description states whether the token is expired or revoked",
    source: "RFC 6750 §3.1",
  },
  "US-04": {
    rule: "an API request with a token that does not have the required scope",
    expected: "403 `insufficient_scope` with the required scopes in `scope`",
    source: "RFC 6750 §3.1",
  },
  "US-05": {
    rule: "a refresh token or an authorization code that is sent as the access token",
    expected: "401",
    source: "RFC 6750 §3.1",
  },
  "US-06": {
    rule: "Git over HTTP with the username `oauth2` and a token as the password",
    expected:
      "the token is accepted only with the username `oauth2`; a token with `read_repository` cannot push (403)",
    source: "Gatehouse specification, Authentication",
  },
  "US-07": {
    rule: "the header `PRIVATE-TOKEN`",
    expected:
      "the API accepts OAuth tokens and personal access tokens in the header `PRIVATE-TOKEN`, as in the header `Authorization`",
    source: "Gatehouse specification, Authentication",
  },
  "US-08": {
    rule: "a revocation or rotation of a token",
    expected: "the revocation or rotation applies to the next request",
    source: "RFC 7009 §2.1",
  },
};
