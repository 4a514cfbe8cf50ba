/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const DEVICE_PAGE = {
  "DV-01": {
    rule: "a request for the device page without a session",
    expected: "303 to the sign-in page; after sign-in, the device page opens with the same user code",
    source: "RFC 8628 §3.3",
  },
  "DV-02": {
    rule: "a request for the device page with a session",
    expected: "200 with an empty field for the user code, and a CSRF token",
    source: "RFC 8628 §3.3",
  },
  "DV-03": {
    rule: "a link to the device page with `user_code`",
    expected: "the field contains the escaped user code; no device request is approved",
    source: "RFC 8628 §3.3.1, §5.4",
  },
  "DV-04": {
    rule: "a correct user code",
    expected:
      "a page shows the application, the scopes, the signed-in user, the user code and a warning that asks the user to compare the code, with buttons to allow and to deny the device request",
    source: "RFC 8628 §3.3, §5.4",
  },
  "DV-05": {
    rule: "the user allows the device request",
    expected:
      "a page confirms the approval; the next poll of the device gets 200; the user code cannot be used again",
    source: "RFC 8628 §3.3, §3.5",
  },
  "DV-06": {
    rule: "the user denies the device request",
    expected: "a page confirms the denial; the next poll of the device gets `access_denied`",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DV-07": {
    rule: "a wrong, used or expired user code",
    expected:
      "422 with the same text for a wrong, used or expired user code; a decision after the user code has expired gets 410",
    source: "RFC 8628 §5.1",
  },
  "DV-08": {
    rule: "a user code in lower case, with a dash or with spaces",
    expected: "accepted",
    source: "RFC 8628 §6.1",
  },
  "DV-09": {
    rule: "a device form without a CSRF token, with the CSRF token of another user, or from another origin",
    expected: "403; no data changes",
    source: "RFC 6749 §10.12; decision 0004",
  },
  "DV-10": {
    rule: "more wrong user codes than the limit for a user or an IP address allows",
    expected: "429 with `Retry-After`; a correct user code does not reset the number of wrong user codes",
    source: "RFC 8628 §5.1",
  },
  "DV-11": {
    rule: "a second user who enters the same user code",
    expected: "the second user gets 422; a second decision on one device request gets 409",
    source: "RFC 8628 §5.5",
  },
  "DV-12": {
    rule: "the device pages without JavaScript, with only the keyboard",
    expected: "a user can complete the device flow",
    source: "RFC 8628 §3.3",
  },
};
