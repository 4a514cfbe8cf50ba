/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const TOKEN = {
  "TK-01": {
    rule: "the response to a successful token request",
    expected:
      "200 with `access_token`, `token_type`, `expires_in` 7200, `created_at`, `scope`, and a refresh token if the grant has one",
    source: "RFC 6749 §5.1; Gatehouse specification, Resources and their fields",
  },
  "TK-02": {
    rule: "a token request without `grant_type`, or with an empty `grant_type`",
    expected: "400 `invalid_request`; an authorization code in the request stays valid",
    source: "RFC 6749 §5.2",
  },
  "TK-03": {
    rule: "an unknown grant type, the grant type `implicit`, or `client_credentials` of a client that may not use this grant type",
    expected: "400 `unsupported_grant_type`; 400 `unauthorized_client` for `client_credentials`",
    source: "RFC 6749 §5.2; Gatehouse specification, What the service does",
  },
  "TK-04": {
    rule: "a grant type that is disabled for the application or for the instance",
    expected:
      "400 `unauthorized_client` if the grant type is disabled for the application; 400 `unsupported_grant_type` if the grant type is disabled for the instance",
    source: "RFC 6749 §5.2",
  },
  "TK-05": {
    rule: "a token request with the client credentials in HTTP Basic",
    expected: "200",
    source: "RFC 6749 §2.3.1",
  },
  "TK-06": {
    rule: "a token request with the client credentials in the body",
    expected: "200",
    source: "RFC 6749 §2.3.1; Gatehouse specification, Endpoints",
  },
  "TK-07": {
    rule: "the scheme `Basic` in different letter case, or followed by several spaces",
    expected: "200",
    source: "RFC 9110 §11.1",
  },
  "TK-08": {
    rule: "Basic credentials with and without percent-encoding",
    expected: "both requests get 200",
    source: "RFC 6749 §2.3.1, Appendix B",
  },
  "TK-09": {
    rule: "malformed Basic credentials",
    expected: "401 `invalid_client` with `WWW-Authenticate: Basic`",
    source: "RFC 6749 §5.2; RFC 7617 §2",
  },
  "TK-10": {
    rule: "a wrong client secret in HTTP Basic",
    expected: "401 `invalid_client` with `WWW-Authenticate: Basic`",
    source: "RFC 6749 §5.2",
  },
  "TK-11": {
    rule: "a wrong client secret in the request body",
    expected: "401 `invalid_client`; the authorization code stays valid",
    source: "RFC 6749 §5.2",
  },
  "TK-12": {
    rule: "a token request of a confidential client without the client secret",
    expected: "401 `invalid_client`",
    source: "RFC 6749 §3.2.1, §5.2",
  },
  "TK-13": {
    rule: "a token request of an unknown client, and a token request without a client",
    expected: "401 `invalid_client` with the same body as for a wrong client secret",
    source: "RFC 6749 §5.2",
  },
  "TK-14": {
    rule: "a token request of a public client that sends a client secret",
    expected: "401 `invalid_client`",
    source: "RFC 6749 §2.3",
  },
  "TK-15": {
    rule: "different client credentials in HTTP Basic and in the body, or two different clients",
    expected: "400 `invalid_request`",
    source: "RFC 6749 §2.3; decision 0036",
  },
  "TK-16": {
    rule: "HTTP Basic together with the same `client_id` in the body",
    expected: "200",
    source: "RFC 6749 §2.3; decision 0036",
  },
  "TK-17": {
    rule: "credentials or grant parameters in the query of a POST request",
    expected: "400 `invalid_request`; no token is issued",
    source: "RFC 6749 §2.3.1; decision 0006",
  },
  "TK-18": {
    rule: "a token request whose parameters are in a JSON body",
    expected: "200; a member that is an array or an object gets 400 `invalid_request`",
    source: "decision 0006",
  },
  "TK-19": {
    rule: "the headers of a response of the token endpoint with status 400",
    expected: "the response has no `WWW-Authenticate`",
    source: "RFC 6749 §5.2; RFC 9110 §11.6.1",
  },
  "TK-20": {
    rule: "two applications that the same user has authorized",
    expected:
      "the revocation or refresh of the tokens of one application does not affect the tokens of the other application",
    source: "RFC 6749 §10.3",
  },
  "TK-21": {
    rule: "token requests and API requests of a deleted application",
    expected:
      "the token endpoint responds with 401 `invalid_client`; the API responds with 401 to requests with tokens of the application",
    source: "RFC 6749 §5.2; RFC 6750 §3.1",
  },
  "TK-22": {
    rule: "the removal of one of two client secrets",
    expected:
      "the next request with the removed secret gets 401 `invalid_client`; the other secret and the issued tokens still work",
    source: "RFC 6749 §2.3.1",
  },
  "TK-23": {
    rule: "a token request of a public client that sends HTTP Basic with an empty password",
    expected: "200",
    source: "RFC 6749 §2.3.1",
  },
};
