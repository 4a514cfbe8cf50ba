/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const SIGN_IN_PROVIDERS = {
  "SP-01": {
    rule: "an ID token of a provider with a wrong or missing issuer, audience, nonce, lifetime, subject or signature",
    expected: "the sign-in is refused",
    source: "OpenID Connect Core §3.1.3.7; RFC 8725 §3.1",
  },
  "SP-02": {
    rule: "a provider that replaces its signing key",
    expected: "the next sign-in uses the new key; tokens with the previous key are refused",
    source: "OpenID Connect Core §10.1.1",
  },
  "SP-03": {
    rule: "an authorization response of another provider",
    expected: "refused: by `iss`, and because each provider has its own redirect URI",
    source: "RFC 9207 §2.4; RFC 9700 §4.4.2",
  },
  "SP-04": {
    rule: "a `state` that is unknown, used, expired or from another browser",
    expected: "refused before the code is exchanged; several tabs can sign in simultaneously",
    source: "RFC 6749 §10.12; RFC 9700 §4.7",
  },
  "SP-05": {
    rule: "PKCE in requests to providers",
    expected: "always, with `S256` and a new verifier for each sign-in",
    source: "RFC 9700 §2.1.1; RFC 7636 §4.1",
  },
  "SP-06": {
    rule: "an existing account with the e-mail address of a user at a provider",
    expected:
      "linked only if the administrator allows it and the address is verified; never for administrators, and never a second account of the same provider",
    source: "decision 0076",
  },
  "SP-07": {
    rule: "an account at a provider that the signed-in user links",
    expected: "linked after a recent authentication and a confirmation in the session that started the link",
    source: "decision 0076",
  },
  "SP-08": {
    rule: "an e-mail domain that must use a provider",
    expected:
      "passwords, passkeys, password resets and other providers are refused, except for administrators; personal access tokens work",
    source: "decision 0076",
  },
};
