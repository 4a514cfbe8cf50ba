/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const STEP_UP = {
  "SU-01": {
    rule: "the claims `acr`, `amr` and `auth_time` after each kind of sign-in and re-authentication",
    expected:
      "the ID token and JWT access tokens contain the authentication context class, the methods and the time of the last authentication",
    source: "OpenID Connect Core §2; RFC 8176 §2; decision 0113; RFC 9068 §2.2.1",
  },
  "SU-02": {
    rule: "introspection of a token of a user who signed in with a browser",
    expected:
      "the response contains `acr` and `auth_time` of the user's last authentication, even after a token refresh",
    source: "RFC 9470 §6.2",
  },
  "SU-03": {
    rule: "`acr_values` that the session does not satisfy",
    expected:
      "a page requests only the missing authentication factor; if the user lacks or declines the factor, a plain OpenID Connect request continues with the authentication context class of the session, but a request for an API, a resource server or JWT access tokens gets `unmet_authentication_requirements`",
    source: "OpenID Connect Core §3.1.2.1; RFC 9470 §5",
  },
  "SU-04": {
    rule: "an essential claim `acr` that the session does not satisfy",
    expected:
      "a page requests the missing authentication factor; without this factor, the response is `unmet_authentication_requirements`; a client that the user has not authorized gets this error only after the user has allowed access",
    source: "OpenID Connect Core §5.5.1.1; decision 0113",
  },
  "SU-05": {
    rule: "`prompt=none` with an authentication context class that the session does not satisfy",
    expected:
      "if the class is essential, the response is `login_required`, or `unmet_authentication_requirements` if the user does not have the factor; if the class is voluntary, it is replaced by the class of the session; a client without consent gets `consent_required`",
    source: "OpenID Connect Core §3.1.2.6",
  },
  "SU-06": {
    rule: "a request for several authentication context classes, some of which the authentication satisfies",
    expected: "the ID token contains the first class in the request that the authentication satisfies",
    source: "OpenID Connect Core §3.1.2.1, §5.5.1.1",
  },
  "SU-07": {
    rule: "a parameter `claims` that is malformed or too large, or that contains a claim with both `value` and `values`",
    expected: "`invalid_request`, also for a pushed authorization request",
    source: "OpenID Connect Core §5.5, §5.5.1",
  },
  "SU-08": {
    rule: "unknown claims, and claims without an `essential` value",
    expected:
      "unknown claims are ignored; a requested claim that belongs to a scope of the application requires the same consent as the scope",
    source: "OpenID Connect Core §5.5, §5.5.1",
  },
  "SU-09": {
    rule: "the claim `sub` with a value, in the parameter `claims`",
    expected: "only the user with this `sub` gets a successful response",
    source: "OpenID Connect Core §5.5.1, §3.1.2.2",
  },
  "SU-10": {
    rule: "an authorization request that a step-up interrupts",
    expected:
      "after one re-authentication, the authorization request continues unchanged, but only in the session of the step-up; the decision of the user to decline a factor is valid only in this session",
    source: "RFC 9470 §4, §9",
  },
};
