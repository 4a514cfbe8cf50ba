/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const DEVICE_CODE = {
  "DT-01": {
    rule: "a device polls while the user has not yet decided",
    expected: "400 `authorization_pending`, without `WWW-Authenticate`",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DT-02": {
    rule: "a device polls before the interval has passed",
    expected: "400 `slow_down`; each of these responses increases the interval by 5 s, up to 60 s",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DT-03": {
    rule: "a device polls for the first time immediately after the codes are issued",
    expected: "400 `authorization_pending`",
    source: "RFC 8628 §3.5",
  },
  "DT-04": {
    rule: "a device polls after the user has allowed the device request",
    expected:
      "200 with `access_token`, `token_type` `Bearer`, `expires_in`, `scope` and `created_at`, even if the interval has not passed",
    source: "Gatehouse specification, States and transitions",
  },
  "DT-05": {
    rule: "a second redemption of a device code",
    expected: "400 `invalid_grant`",
    source: "RFC 8628 §3.5; RFC 6749 §5.2",
  },
  "DT-06": {
    rule: "a device polls after the user has denied the device request",
    expected: "each poll gets 400 `access_denied`",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DT-07": {
    rule: "a device polls after the device code has expired, even if the user had allowed the device request",
    expected: "each poll gets 400 `expired_token`",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DT-08": { rule: "an unknown device code", expected: "400 `invalid_grant`", source: "RFC 6749 §5.2" },
  "DT-09": {
    rule: "a device polls without `device_code`",
    expected: "400 `invalid_request`",
    source: "RFC 8628 §3.4; RFC 6749 §5.2",
  },
  "DT-10": {
    rule: "a client polls with the device code of another client",
    expected: "400 `invalid_grant`; the device request of the other client does not change",
    source: "RFC 8628 §3.4",
  },
  "DT-11": {
    rule: "a poll of an unknown client, or of a confidential client that does not send its client secret",
    expected: "401 `invalid_client`",
    source: "RFC 8628 §3.4; RFC 6749 §5.2",
  },
  "DT-12": {
    rule: "a user code that is sent as the device code",
    expected: "400 `invalid_grant`",
    source: "RFC 8628 §3.4",
  },
  "DT-13": {
    rule: "a device polls after the user has allowed the device request and was then blocked",
    expected: "400 `invalid_grant`",
    source: "RFC 6749 §5.2",
  },
};
