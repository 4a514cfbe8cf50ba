/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const ATTACKS = {
  "AT-01": {
    rule: "code injection: the code of one user in the session of another one",
    expected: "400 `invalid_grant`: the verifier does not match",
    source: "RFC 9700 §4.5",
  },
  "AT-02": {
    rule: "a code that is replayed, even after its tokens were refreshed",
    expected:
      "400 `invalid_grant`; after `code_reuse_leeway`, all tokens that were issued for the code are revoked",
    source: "RFC 6749 §4.1.2, §10.5",
  },
  "AT-03": {
    rule: "simultaneous exchanges of one code",
    expected: "exactly one 200; the others 400 `invalid_grant`; the tokens of the winner stay valid",
    source: "RFC 6749 §10.5",
  },
  "AT-04": {
    rule: "simultaneous refreshes with one token",
    expected: "exactly one 200; the others 400 `invalid_grant`; the family stays valid",
    source: "RFC 9700 §4.14.2",
  },
  "AT-05": {
    rule: "simultaneous redemptions of one device code",
    expected: "exactly one 200; the others 400 `invalid_grant`",
    source: "RFC 8628 §3.5",
  },
  "AT-06": {
    rule: "simultaneous decisions on one device request",
    expected: "exactly one decision is stored, with its user",
    source: "RFC 8628 §3.3",
  },
  "AT-07": {
    rule: "a revocation or withdrawn consent at the same time as an exchange or refresh",
    expected: "no token is valid afterwards",
    source: "RFC 7009 §2.1",
  },
  "AT-08": {
    rule: "a stolen refresh token",
    expected:
      "its reuse revokes the token family, including the tokens of the thief, and is recorded as an audit event",
    source: "RFC 9700 §4.14.2",
  },
  "AT-09": {
    rule: "a PKCE downgrade",
    expected:
      "a missing verifier: 400 `invalid_request`; a verifier for a code without challenge: 400 `invalid_grant`",
    source: "RFC 9700 §4.8.2",
  },
  "AT-10": {
    rule: "many wrong verifiers for one code",
    expected: "400 `invalid_grant` with the same response for each",
    source: "RFC 7636 §7.1",
  },
  "AT-11": {
    rule: "mix-up of authorization servers",
    expected: "`iss` in the response according to the setting `authorization_response_iss`",
    source: "RFC 9207 §2; RFC 9700 §4.4.2",
  },
  "AT-12": {
    rule: "open redirects through `redirect_uri`, `return_to` and sign-out",
    expected: "never a redirect to a URL that is not registered",
    source: "RFC 9700 §4.11.2; RFC 6749 §10.15",
  },
  "AT-13": {
    rule: "the server as a redirector of a hostile client",
    expected:
      "the user must sign in first; only `prompt=none` redirects without a page, and only to a registered URL",
    source: "RFC 9700 §4.11.2",
  },
  "AT-14": {
    rule: "forged consent and device forms, in any encoding and from sibling hosts",
    expected: "403; nothing changes",
    source: "RFC 6749 §10.12; RFC 9700 §4.7",
  },
  "AT-15": {
    rule: "session fixation and login CSRF",
    expected: "a new session id at sign-in; the cookie is `HttpOnly`, `SameSite=Lax`, without `Domain`",
    source: "RFC 6265 §8.4; decision 0003",
  },
  "AT-16": {
    rule: "pages in a frame of another site",
    expected:
      "the browser does not show the page; `X-Frame-Options` and the CSP directive `frame-ancestors` are present",
    source: "RFC 9700 §4.16; RFC 6749 §10.13",
  },
  "AT-17": {
    rule: "a redirect after a post of credentials",
    expected: "the client receives a GET without the form; the status is never 307 or 308",
    source: "RFC 9700 §4.12",
  },
  "AT-18": {
    rule: "guessing of user codes",
    expected: "429 at the limits of user, IP address and instance; other users are not affected",
    source: "RFC 8628 §5.1",
  },
  "AT-19": {
    rule: "guessing of device codes",
    expected: "400 `invalid_grant`; the codes have 256 random bits",
    source: "RFC 8628 §5.2",
  },
  "AT-20": {
    rule: "device phishing by a link",
    expected:
      "no approval by GET; the page names the application and warns; re-authentication for powerful scopes",
    source: "RFC 8628 §5.4",
  },
  "AT-21": {
    rule: "two sessions that use the same user code",
    expected: "the second session is refused",
    source: "RFC 8628 §5.5",
  },
  "AT-22": {
    rule: "the response time for an unknown user",
    expected: "the same as for a wrong password: the same hash is computed",
    source: "RFC 6749 §10.10; RFC 6819 §5.1.4.2",
  },
  "AT-23": {
    rule: "user enumeration by the password grant and sign-in",
    expected: "the same response for unknown users and wrong passwords",
    source: "RFC 6749 §10.10",
  },
  "AT-24": {
    rule: "password spraying over many users or IP addresses",
    expected: "429 for a user name and for an IP address",
    source: "RFC 6749 §4.3.2; decision 0031",
  },
  "AT-25": {
    rule: "denial of service by password hashing",
    expected:
      "at most 128 characters are hashed; the number of simultaneous hashes is limited; further requests get 503",
    source: "RFC 9110 §15.6.4",
  },
  "AT-26": {
    rule: "denial of service by wrong client secrets",
    expected: "one SHA-256 per attempt",
    source: "RFC 6749 §10.10",
  },
  "AT-27": {
    rule: "scope escalation by refresh, consent, device request, case or special characters",
    expected: "`invalid_scope`; scopes are case-sensitive",
    source: "RFC 6749 §3.3, §6",
  },
  "AT-28": {
    rule: "a token, code or ID token that is sent instead of another kind",
    expected: "refused everywhere",
    source: "RFC 6749 §10.3; RFC 8725 §3.11",
  },
  "AT-29": {
    rule: "impersonation of a confidential client by its id",
    expected: "401 `invalid_client`; 403 `unauthorized_client` at revocation",
    source: "RFC 6749 §10.2",
  },
  "AT-30": {
    rule: "conflicting parameters, credentials or tokens in one request",
    expected: "400 `invalid_request`",
    source: "RFC 6749 §3.1, §3.2; RFC 6750 §2",
  },
  "AT-31": {
    rule: "oversized values, bodies and numbers of parameters",
    expected: "400 or 413; never 500",
    source: "RFC 9110 §15.5.14",
  },
  "AT-32": {
    rule: "U+0000, invalid UTF-8, lone surrogates and look-alike characters in each field",
    expected: "400 or stored unchanged; never 500",
    source: "RFC 6749 Appendix A, Appendix B",
  },
  "AT-33": {
    rule: "CR LF in parameters that reach a header",
    expected: "percent-encoded; no header is injected",
    source: "RFC 6749 §10.14; RFC 9110 §5.5",
  },
  "AT-34": {
    rule: "HTML in names, parameters and codes",
    expected: "escaped; the CSP allows no inline script without nonce",
    source: "RFC 6749 §10.14",
  },
  "AT-35": {
    rule: "server-side request forgery by `request_uri`",
    expected: "the server requests nothing",
    source: "OpenID Connect Core §6.2; RFC 9101 §10.4",
  },
  "AT-36": {
    rule: "tokens and codes in the header `Referer` and in caches",
    expected:
      "`Referer` of other sites is empty; responses to requests with a token in the query are `no-store`",
    source: "RFC 9700 §4.2.4, §4.3.2; RFC 6750 §2.3",
  },
  "AT-37": {
    rule: "the back button after sign-out",
    expected: "the session ends for every copy of its cookie; pages are `no-store` (AZ-38)",
    source: "RFC 9700 §4.3",
  },
  "AT-38": {
    rule: "cache poisoning and deception",
    expected:
      "private responses are `no-store`; paths that look like files are 404; public responses do not depend on headers",
    source: "RFC 9111 §7.1",
  },
  "AT-39": {
    rule: "credentialed requests of another origin",
    expected: "no `Access-Control-Allow-Credentials`; a session cookie never authenticates the API",
    source: "Fetch Standard, CORS protocol",
  },
  "AT-40": {
    rule: "operators of the database layer in parameters (`code[not]=`, JSON objects)",
    expected: "400 `invalid_request`",
    source: "RFC 6749 §5.2",
  },
  "AT-41": {
    rule: "parameters named `__proto__` or `constructor`",
    expected: "ignored",
    source: "RFC 6749 §3.1, §3.2",
  },
  "AT-42": {
    rule: "additional fields in the form of an application (`trusted`, owner, client id)",
    expected: "ignored",
    source: "RFC 6749 §2.2",
  },
  "AT-43": {
    rule: "objects of another user by their id",
    expected: "403, or the response for an absent object",
    source: "RFC 6749 §10.3",
  },
  "AT-44": {
    rule: "a forged host in the device flow",
    expected: "`verification_uri` keeps the configured base URL",
    source: "RFC 9700 §4.13",
  },
  "AT-45": {
    rule: "forged `X-Forwarded-For` against rate limits",
    expected: "the limit counts the IP address that trusted proxies report",
    source: "RFC 9700 §4.13",
  },
  "AT-46": {
    rule: "forged ID tokens as `id_token_hint`: `alg` none, other issuer, other audience, broken signature",
    expected: "ignored: sign-out asks the user",
    source: "RFC 8725 §3.1, §3.2; OpenID Connect RP-Initiated Logout §2",
  },
  "AT-47": {
    rule: "clocks that are set back or forward",
    expected: "a token is valid until its expiry, even if the clock was set back",
    source: "RFC 6749 §5.1",
  },
  "AT-48": {
    rule: "tokens of users who are blocked, deleted or change their password",
    expected: "401 or `invalid_grant`; SC-06 describes the revocation after a password change",
    source: "RFC 6749 §10.4; decision 0029",
  },
  "AT-49": {
    rule: "a consent form for an application that has been changed or deleted since",
    expected: "refused; nothing is granted",
    source: "RFC 6749 §4.1.2.1",
  },
  "AT-50": {
    rule: "enumeration of applications",
    expected: "an unknown client gets the same response as a wrong secret",
    source: "RFC 6749 §5.2, §10.10",
  },
};
