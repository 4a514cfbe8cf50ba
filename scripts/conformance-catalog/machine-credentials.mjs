/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const MACHINE_CREDENTIALS = {
  "MA-01": {
    rule: "a project or group access token after its bot or project is removed, or its creator loses the right to create it",
    expected: "401 at the next request; the list says inactive; a rotation by another maintainer renews it",
    source: "decision 0079",
  },
  "MA-02": {
    rule: "a bot that signs in, creates a token, or joins another project",
    expected: "refused",
    source: "decision 0079",
  },
  "MA-04": {
    rule: "an impersonation token, before and after its creator loses the administrator rights",
    expected: "before: acts for the user, cannot create tokens, and audit events name both users; after: 401",
    source: "decision 0079",
  },
  "MA-03": {
    rule: "a deploy token in Git, at the package endpoints and for container images",
    expected:
      "accepted with its username, in its project or group, within its scopes, and while its creator may create it",
    source: "decision 0079",
  },
};
