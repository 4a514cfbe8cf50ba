/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const DEVICE_PAGE = {
  "DV-01": {
    rule: "the page without a session",
    expected: "303 to sign-in and back, with the user code kept",
    source: "RFC 8628 §3.3",
  },
  "DV-02": {
    rule: "the page with a session",
    expected: "200 with an empty field and a CSRF token",
    source: "RFC 8628 §3.3",
  },
  "DV-03": {
    rule: "a link with `user_code`",
    expected: "the field is filled in and escaped; nothing is approved",
    source: "RFC 8628 §3.3.1, §5.4",
  },
  "DV-04": {
    rule: "a correct code",
    expected:
      "a page with the application, the scopes, the signed-in user, the code and a warning to compare the code; buttons to allow and to deny",
    source: "RFC 8628 §3.3, §5.4",
  },
  "DV-05": {
    rule: "the user allows",
    expected: "a success page; the next poll gets 200; the code cannot be used again",
    source: "RFC 8628 §3.3, §3.5",
  },
  "DV-06": {
    rule: "the user denies",
    expected: "a page that confirms the denial; the next poll gets `access_denied`",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DV-07": {
    rule: "a wrong, used or expired code",
    expected: "422 with the same text for all three; a decision after the expiry: 410",
    source: "RFC 8628 §5.1",
  },
  "DV-08": {
    rule: "a code in lower case, with dash or spaces",
    expected: "accepted",
    source: "RFC 8628 §6.1",
  },
  "DV-09": {
    rule: "a form without a CSRF token, with one of another user, or from another origin",
    expected: "403; nothing changes",
    source: "RFC 6749 §10.12; decision 0004",
  },
  "DV-10": {
    rule: "more wrong codes than the limit of a user or an IP address",
    expected: "429 with `Retry-After`; a success does not reset the count",
    source: "RFC 8628 §5.1",
  },
  "DV-11": {
    rule: "a second user who enters the same code",
    expected: "422; a decision on a request that has been decided: 409",
    source: "RFC 8628 §5.5",
  },
  "DV-12": {
    rule: "the pages without JavaScript, by keyboard alone",
    expected: "the whole flow works",
    source: "RFC 8628 §3.3",
  },
};
