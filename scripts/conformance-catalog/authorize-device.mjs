/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const AUTHORIZE_DEVICE = {
  "DA-01": {
    rule: "a device authorization request of a public client",
    expected:
      "200 with `device_code`, `user_code`, `verification_uri`, `verification_uri_complete`, `expires_in` 300 and `interval` 5",
    source: "RFC 8628 §3.2; Gatehouse specification, Resources and their fields",
  },
  "DA-02": {
    rule: "a device authorization request of an unknown client, or without a client",
    expected: "401 `invalid_client`; no device authorization request is stored",
    source: "RFC 8628 §3.1; RFC 6749 §5.2",
  },
  "DA-03": {
    rule: "a confidential client",
    expected: "200 with the client secret; 401 `invalid_client` without the client secret",
    source: "RFC 8628 §3.1; RFC 6749 §2.3",
  },
  "DA-04": {
    rule: "a device authorization request for scopes that the application does not have",
    expected: "400 `invalid_scope`; a request without `scope` gets the default scope `api`",
    source: "RFC 6749 §3.3, §5.2",
  },
  "DA-05": {
    rule: "the feature flag `oauth2_device_grant_flow` is off",
    expected:
      "the device authorization endpoint and `/oauth/device` return 404; the token endpoint returns `unsupported_grant_type`; the metadata do not contain the device flow",
    source: "Gatehouse specification, Versioning",
  },
  "DA-07": {
    rule: "many simultaneous device authorization requests",
    expected: "no user code is issued twice; expired requests are pruned",
    source: "RFC 8628 §6.1",
  },
  "DA-08": {
    rule: "the HTTP methods and the CORS headers of the device authorization endpoint",
    expected: "only POST is allowed; the response has no CORS header",
    source: "RFC 8628 §3.1",
  },
  "DA-09": {
    rule: "many device authorization requests of a public client from one network",
    expected:
      "429 `temporarily_unavailable` with `Retry-After`; other clients, other networks and confidential clients are not affected",
    source: "RFC 8628 §5.1; goal of the product",
  },
};
