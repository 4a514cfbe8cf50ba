/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const DEVICE_CODE = {
  "DT-01": {
    rule: "a poll while the user has not decided",
    expected: "400 `authorization_pending`, without `WWW-Authenticate`",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DT-02": {
    rule: "a poll before the interval has passed",
    expected: "400 `slow_down`; each time, the interval grows by 5 s, up to 60 s",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DT-03": {
    rule: "the first poll immediately after the codes are issued",
    expected: "400 `authorization_pending`",
    source: "RFC 8628 §3.5",
  },
  "DT-04": {
    rule: "a poll after the user has allowed the request",
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
    rule: "a poll after the user has denied the request",
    expected: "each poll gets 400 `access_denied`",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DT-07": {
    rule: "a poll after the code has expired, even after an approval",
    expected: "each poll gets 400 `expired_token`",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DT-08": { rule: "an unknown device code", expected: "400 `invalid_grant`", source: "RFC 6749 §5.2" },
  "DT-09": {
    rule: "a poll without `device_code`",
    expected: "400 `invalid_request`",
    source: "RFC 8628 §3.4; RFC 6749 §5.2",
  },
  "DT-10": {
    rule: "the device code of another client",
    expected: "400 `invalid_grant`; the device request of the other client does not change",
    source: "RFC 8628 §3.4",
  },
  "DT-11": {
    rule: "a poll by an unknown client, or by a confidential client without its secret",
    expected: "401 `invalid_client`",
    source: "RFC 8628 §3.4; RFC 6749 §5.2",
  },
  "DT-12": {
    rule: "a user code that is sent as the device code",
    expected: "400 `invalid_grant`",
    source: "RFC 8628 §3.4",
  },
  "DT-13": {
    rule: "a poll after the user approved the request and was then blocked",
    expected: "400 `invalid_grant`",
    source: "RFC 6749 §5.2",
  },
};
