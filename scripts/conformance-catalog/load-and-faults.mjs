/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const LOAD_AND_FAULTS = {
  "LF-05": {
    rule: "the simultaneous requests of AT-03, AT-04 and AT-05 at two server processes",
    expected: "exactly one of the simultaneous requests succeeds in each case",
    source: "RFC 6749 §10.5; RFC 9700 §4.14.2",
  },
  "LF-08": {
    rule: "the server is killed with SIGKILL during code exchanges",
    expected:
      "every token that a client received works after the restart; no authorization code was used twice",
    source: "RFC 6749 §4.1.2",
  },
};
