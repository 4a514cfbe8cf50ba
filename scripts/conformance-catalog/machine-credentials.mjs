/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const MACHINE_CREDENTIALS = {
  "MA-01": {
    rule: "a project or group access token after its bot or project was removed, or after its creator lost the right to create such a token",
    expected:
      "the next request gets 401; the list shows the token as inactive; a rotation by another maintainer makes the token usable again",
    source: "decision 0079",
  },
  "MA-02": {
    rule: "a bot user that signs in, creates a token, or joins another project",
    expected: "refused",
    source: "decision 0079",
  },
  "MA-04": {
    rule: "an impersonation token, before and after its creator loses the administrator rights",
    expected:
      "while the creator is an administrator, the token acts as the impersonated user and cannot create tokens, and audit events name the user and the administrator; afterwards, requests with the token get 401",
    source: "decision 0079",
  },
  "MA-03": {
    rule: "a deploy token in Git, at the package endpoints and for container images",
    expected:
      "the token is accepted with its username; it is valid only for its project or group, for its scopes, and while its creator has the right to create a deploy token",
    source: "decision 0079",
  },
};
