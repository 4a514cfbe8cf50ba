/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const BACKCHANNEL_LOGOUT = {
  "BL-01": {
    rule: "a logout token",
    expected:
      "the `typ` of a logout token is `logout+jwt`; the token is signed with the algorithm of the application, and contains `iss`, `aud`, `sub`, `sid`, `iat`, `exp` (two minutes after `iat`), `jti` and `events`, but no `nonce`; the token is refused as `id_token_hint`",
    source: "OpenID Connect Back-Channel Logout §2.4",
  },
  "BL-02": {
    rule: "the claim `sid` in ID tokens of an application with a `backchannel_logout_uri`",
    expected:
      "each pair of a session and a client has one `sid`; a token refresh does not change the `sid`; the `sid` is not derived from the session id",
    source: "OpenID Connect Back-Channel Logout §2.1; decision 0101",
  },
  "BL-03": {
    rule: "a session ends because of a sign-out, a logout request of an application, a revocation, a new password, or because the user is blocked",
    expected:
      "each application to which the user signed in with this session receives one logout token; no logout token is sent for other sessions",
    source: "OpenID Connect Back-Channel Logout §2.5, §2.6",
  },
  "BL-04": {
    rule: "the grants and the authorization codes of an ended session",
    expected:
      "grants and authorization codes are revoked for applications that receive logout tokens, unless the authorization request contained `offline_access`",
    source: "OpenID Connect Back-Channel Logout §2.7",
  },
  "BL-05": {
    rule: "an application that does not accept a logout token",
    expected:
      "the server repeats the logout request for up to a day, each time with a new `jti`; only one of several servers sends the request; an audit event records the result",
    source: "OpenID Connect Back-Channel Logout §2.5",
  },
  "BL-06": {
    rule: "a `backchannel_logout_uri` whose host has no public IP address",
    expected: "the server sends no logout request",
    source: "OpenID Connect Back-Channel Logout §4; decision 0101",
  },
  "BL-07": {
    rule: "the `backchannel_logout_uri` of an application",
    expected:
      "the URL must be an https URL without a fragment; for a client without an owner, the URL must have the origin of a redirect URI of the client",
    source: "OpenID Connect Back-Channel Logout §2.2",
  },
};
