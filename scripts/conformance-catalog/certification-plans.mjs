/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const CERTIFICATION_PLANS = {
  "OF-01": {
    rule: "the modules of the Basic OP certification plan of the OpenID Foundation",
    expected: "each module of the plan passes",
    source: "OpenID Connect Core §3.1",
  },
  "OF-02": {
    rule: "the modules of the Config OP certification plan of the OpenID Foundation",
    expected: "each module of the plan passes",
    source: "OpenID Connect Discovery §3, §4",
  },
  "OF-03": {
    rule: "the modules of the Form Post OP certification plan of the OpenID Foundation",
    expected: "each module of the plan passes",
    source: "OAuth 2.0 Form Post Response Mode §2",
  },
  "OF-04": {
    rule: "the modules of the RP-Initiated Logout OP certification plan of the OpenID Foundation",
    expected: "each module of the plan passes",
    source: "OpenID Connect RP-Initiated Logout §2, §3",
  },
  "OF-05": {
    rule: "the modules of the Back-Channel Logout OP certification plan of the OpenID Foundation",
    expected: "each module of the plan passes",
    source: "OpenID Connect Back-Channel Logout §2",
  },
};
