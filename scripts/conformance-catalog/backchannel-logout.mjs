/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const BACKCHANNEL_LOGOUT = {
  "BL-01": {
    rule: "a logout token",
    expected:
      "`typ: logout+jwt`, signed with the algorithm of the application; `iss`, `aud`, `sub`, `sid`, `iat`, `exp` after two minutes, `jti`, `events`; no `nonce`; refused as `id_token_hint`",
    source: "OpenID Connect Back-Channel Logout §2.4",
  },
  "BL-02": {
    rule: "`sid` in ID tokens of an application with a `backchannel_logout_uri`",
    expected:
      "the same value for each session and client, even after a refresh; different for other sessions and clients; not derived from the session id",
    source: "OpenID Connect Back-Channel Logout §2.1; decision 0101",
  },
  "BL-03": {
    rule: "the end of a session: a sign-out, a logout request of an application, a revocation, a blocked user, a new password",
    expected: "one logout token to each application to which the session signed in; none for other sessions",
    source: "OpenID Connect Back-Channel Logout §2.5, §2.6",
  },
  "BL-04": {
    rule: "grants and codes of an ended session",
    expected:
      "revoked for applications that receive logout tokens, unless the request contained `offline_access`",
    source: "OpenID Connect Back-Channel Logout §2.7",
  },
  "BL-05": {
    rule: "an application that does not accept a logout token",
    expected:
      "the server repeats the request for a day, each time with a new `jti`; only one of several servers sends it; the result is audited",
    source: "OpenID Connect Back-Channel Logout §2.5",
  },
  "BL-06": {
    rule: "a `backchannel_logout_uri` whose host has no public IP address",
    expected: "no request is sent",
    source: "OpenID Connect Back-Channel Logout §4; decision 0101",
  },
  "BL-07": {
    rule: "the `backchannel_logout_uri` of an application",
    expected: "an https URL without a fragment; of clients without an owner, on the origin of the client",
    source: "OpenID Connect Back-Channel Logout §2.2",
  },
};
