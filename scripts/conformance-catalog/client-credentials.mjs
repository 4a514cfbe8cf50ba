/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const CLIENT_CREDENTIALS = {
  "CC-01": {
    rule: "a token request of a confidential application that may use the client credentials grant",
    expected:
      "the response contains an access token of the bot user of the application, but no refresh token",
    source: "RFC 6749 §4.4",
  },
  "CC-02": {
    rule: "a client credentials request of an application that is public, that is blocked, or that may not use this grant type",
    expected: "`unauthorized_client` or `invalid_client`",
    source: "RFC 6749 §4.4.2, §5.2",
  },
  "CC-03": {
    rule: "the scopes of the client credentials grant",
    expected:
      "a token request without `scope` gets all scopes that the application may request with this grant; any other scope, such as `openid`, causes `invalid_scope`",
    source: "RFC 6749 §3.3",
  },
  "CC-04": {
    rule: "an API request with an access token of the client credentials grant",
    expected:
      "the request has the roles of the bot user in projects and groups; after the application or its owner was blocked, the token is refused",
    source: "decision 0099",
  },
  "CC-05": {
    rule: "the subject of a token of the client credentials grant",
    expected: "`sub` is the `client_id`, in introspection responses and in JWT access tokens",
    source: "RFC 9068 §2.2",
  },
  "CC-06": {
    rule: "client authentication, DPoP proofs and `resource` in the client credentials grant",
    expected: "the same rules apply as for the other grant types",
    source: "RFC 7523 §2.2; RFC 9449 §5; RFC 8707 §2.2",
  },
  "CC-07": {
    rule: "the bot user of an application",
    expected: "the bot user cannot sign in, is not counted as a user, and is deleted with the application",
    source: "decision 0099",
  },
};
