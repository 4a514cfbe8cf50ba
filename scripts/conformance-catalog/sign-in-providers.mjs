/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const SIGN_IN_PROVIDERS = {
  "SP-01": {
    rule: "an ID token that a sign-in provider issued with a wrong or missing issuer, audience, nonce, lifetime, subject or signature",
    expected: "the sign-in is refused",
    source: "OpenID Connect Core §3.1.3.7; RFC 8725 §3.1",
  },
  "SP-02": {
    rule: "a provider replaces its signing key",
    expected:
      "the next sign-in uses the new key; ID tokens that are signed with the previous key are refused",
    source: "OpenID Connect Core §10.1.1",
  },
  "SP-03": {
    rule: "an authorization response from another provider than the provider that received the authorization request",
    expected:
      "the response is refused because of `iss`, and because each provider has a separate redirect URI",
    source: "RFC 9207 §2.4; RFC 9700 §4.4.2",
  },
  "SP-04": {
    rule: "a `state` that is unknown, used or expired, or that belongs to another browser",
    expected:
      "the response is refused before the authorization code is exchanged; several tabs can sign in simultaneously",
    source: "RFC 6749 §10.12; RFC 9700 §4.7",
  },
  "SP-05": {
    rule: "PKCE in requests to providers",
    expected: "each sign-in uses `S256` and a new code verifier",
    source: "RFC 9700 §2.1.1; RFC 7636 §4.1",
  },
  "SP-06": {
    rule: "an existing account with the same e-mail address as a user at a provider",
    expected:
      "the accounts are linked only if the administrator allows linking and the e-mail address is verified; accounts of administrators are never linked; a user has at most one linked account at each provider",
    source: "decision 0076",
  },
  "SP-07": {
    rule: "a signed-in user links an account at a provider",
    expected:
      "the account is linked only after a recent authentication, and after a confirmation in the session that started the link",
    source: "decision 0076",
  },
  "SP-08": {
    rule: "an e-mail domain whose users must sign in with a provider",
    expected:
      "the server refuses passwords, passkeys, password resets and other providers for users with this e-mail domain, except for administrators; personal access tokens of these users work",
    source: "decision 0076",
  },
};
