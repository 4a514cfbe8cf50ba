/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const PASSWORD = {
  "PW-01": {
    rule: "a password grant with username and password, without a client",
    expected: "200 with the scope `api` if the setting `ropc_without_client_credentials` is on",
    source: "Gatehouse specification, Endpoints",
  },
  "PW-02": {
    rule: "a password grant of a client that authenticates by HTTP Basic",
    expected: "200; the token belongs to the client",
    source: "RFC 6749 §4.3.2; Gatehouse specification, Authentication",
  },
  "PW-03": {
    rule: "an e-mail address as the username, or a username in different letter case",
    expected: "200",
    source: "GitLab documentation, OAuth 2.0 identity provider API",
  },
  "PW-04": {
    rule: "a wrong password, an unknown user, or a missing parameter",
    expected:
      "a wrong password and an unknown user get 400 `invalid_grant` with the same body; a missing or empty parameter gets 400 `invalid_request`",
    source: "RFC 6749 §5.2",
  },
  "PW-05": {
    rule: "a password grant of a user with two-factor authentication",
    expected: "400 `invalid_grant`, even with the correct password",
    source: "Gatehouse specification, Authentication",
  },
  "PW-06": {
    rule: "the setting `password_authentication_enabled_for_git` is off",
    expected: "400 `invalid_grant` for every user",
    source: "Gatehouse specification, Authentication",
  },
  "PW-07": {
    rule: "a wrong client secret or an unknown `client_id`",
    expected: "401 `invalid_client`; the server does not check the password",
    source: "RFC 6749 §4.3.2, §5.2",
  },
  "PW-08": {
    rule: "a password grant without a client while the setting `ropc_without_client_credentials` is off",
    expected: "401 `invalid_client`",
    source: "RFC 6749 §4.3.2",
  },
  "PW-09": {
    rule: "a password grant with a scope that is not allowed for this grant or for the client",
    expected: "400 `invalid_scope`",
    source: "RFC 6749 §5.2",
  },
  "PW-10": {
    rule: "the members of the response to a password grant",
    expected:
      "the response contains exactly `access_token`, `token_type` and `expires_in`; it contains no refresh token",
    source: "Gatehouse specification, Resources and their fields",
  },
  "PW-11": {
    rule: "password grants with repeated wrong passwords",
    expected:
      "429 with `Retry-After`; failed attempts with password grants and on the sign-in page are counted together",
    source: "RFC 6749 §4.3.2; decision 0031",
  },
  "PW-12": {
    rule: "a password grant of a blocked user with the correct password",
    expected: "400 `invalid_grant` with the same body as for a wrong password",
    source: "RFC 6749 §5.2",
  },
};
