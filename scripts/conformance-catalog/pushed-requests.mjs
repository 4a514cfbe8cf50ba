/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const PUSHED_REQUESTS = {
  "PR-01": {
    rule: "a pushed authorization request, and a browser that opens `/oauth/authorize` with `client_id` and `request_uri`",
    expected:
      "201 with `request_uri` and `expires_in`; the authorization request uses only the pushed parameters",
    source: "RFC 9126 §2.2, §4",
  },
  "PR-02": {
    rule: "the lifetime of a `request_uri`",
    expected:
      "a browser must open the `request_uri` within 90 seconds; the user can then complete the request in any tab, until a day after the push; later, the redirect URI receives `invalid_request_uri`",
    source: "RFC 9126 §4, §7.3; decision 0091",
  },
  "PR-03": {
    rule: "the reuse of a `request_uri` for which an authorization code was issued, even in simultaneous requests to several processes",
    expected:
      "only one authorization code is issued; later requests get `invalid_request_uri`; if the consent form is posted twice, both responses contain the same authorization code",
    source: "RFC 9126 §7.3",
  },
  "PR-04": {
    rule: "an unknown `request_uri`, or the `request_uri` of another client",
    expected: "an error page with status 400; the browser is not redirected to a redirect URI",
    source: "RFC 9126 §2.2, §7.2",
  },
  "PR-05": {
    rule: "a pushed authorization request with wrong parameters, with `request_uri`, or with wrong client credentials",
    expected: "status 400 with the error code of `/oauth/authorize` as JSON, or `invalid_client`",
    source: "RFC 9126 §2.1, §2.3",
  },
  "PR-06": {
    rule: "an application that requires pushed authorization requests sends an authorization request that is not pushed",
    expected: "`invalid_request`",
    source: "RFC 9126 §6",
  },
};
