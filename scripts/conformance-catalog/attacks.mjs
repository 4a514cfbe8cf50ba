/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const ATTACKS = {
  "AT-01": {
    rule: "code injection: an attacker inserts the authorization code of one user into the session of another user",
    expected: "400 `invalid_grant`, because the code verifier does not match",
    source: "RFC 9700 §4.5",
  },
  "AT-02": {
    rule: "an authorization code that is replayed, even after its tokens were refreshed",
    expected:
      "400 `invalid_grant`; a replay after the time `code_reuse_leeway` revokes all tokens that were issued for the code",
    source: "RFC 6749 §4.1.2, §10.5",
  },
  "AT-03": {
    rule: "simultaneous exchanges of one authorization code",
    expected:
      "exactly one request gets 200; all other requests get 400 `invalid_grant`; the issued tokens stay valid",
    source: "RFC 6749 §10.5",
  },
  "AT-04": {
    rule: "simultaneous refreshes with one refresh token",
    expected:
      "exactly one request gets 200; all other requests get 400 `invalid_grant`; the token family stays valid",
    source: "RFC 9700 §4.14.2",
  },
  "AT-05": {
    rule: "simultaneous redemptions of one device code",
    expected: "exactly one request gets 200; all other requests get 400 `invalid_grant`",
    source: "RFC 8628 §3.5",
  },
  "AT-06": {
    rule: "simultaneous decisions on one device request",
    expected: "exactly one decision is stored, together with the user who decided",
    source: "RFC 8628 §3.3",
  },
  "AT-07": {
    rule: "a token is revoked, or the consent is withdrawn, during a code exchange or a token refresh",
    expected: "no token is valid after the two simultaneous requests have ended",
    source: "RFC 7009 §2.1",
  },
  "AT-08": {
    rule: "the reuse of a stolen refresh token",
    expected:
      "the token family is revoked, including the tokens of the thief, and an audit event is recorded",
    source: "RFC 9700 §4.14.2",
  },
  "AT-09": {
    rule: "a PKCE downgrade",
    expected:
      "a code exchange without the code verifier gets 400 `invalid_request`; a code exchange with a code verifier gets 400 `invalid_grant` if the authorization request had no code challenge",
    source: "RFC 9700 §4.8.2",
  },
  "AT-10": {
    rule: "many wrong code verifiers for one authorization code",
    expected: "each request gets the same response, 400 `invalid_grant`",
    source: "RFC 7636 §7.1",
  },
  "AT-11": {
    rule: "a mix-up attack with several authorization servers",
    expected:
      "the authorization response contains `iss` as the setting `authorization_response_iss` requires",
    source: "RFC 9207 §2; RFC 9700 §4.4.2",
  },
  "AT-12": {
    rule: "open redirects through `redirect_uri`, `return_to` and the sign-out page",
    expected: "the server never redirects to a URL that is not registered",
    source: "RFC 9700 §4.11.2; RFC 6749 §10.15",
  },
  "AT-13": {
    rule: "a hostile client that uses the server as an open redirector",
    expected:
      "the user must sign in before any redirect; only a request with `prompt=none` redirects without a page, and only to a registered URL",
    source: "RFC 9700 §4.11.2",
  },
  "AT-14": {
    rule: "forged submissions of the consent form or the device form, in any encoding, also from other hosts of the same domain",
    expected: "403; no data changes",
    source: "RFC 6749 §10.12; RFC 9700 §4.7",
  },
  "AT-15": {
    rule: "session fixation and login CSRF",
    expected:
      "each sign-in creates a new session id; the cookie has the attributes `HttpOnly` and `SameSite=Lax`, and no `Domain`",
    source: "RFC 6265 §8.4; decision 0003",
  },
  "AT-16": {
    rule: "pages of Gatehouse in a frame of another site",
    expected:
      "browsers do not show the page; the response contains `X-Frame-Options` and the CSP directive `frame-ancestors`",
    source: "RFC 9700 §4.16; RFC 6749 §10.13",
  },
  "AT-17": {
    rule: "a redirect after a browser has posted a form with credentials",
    expected: "the client receives a GET request without the form fields; the status is never 307 or 308",
    source: "RFC 9700 §4.12",
  },
  "AT-18": {
    rule: "guessing of user codes",
    expected:
      "429 when a rate limit for the user, the IP address or the instance is exceeded; other users are not affected",
    source: "RFC 8628 §5.1",
  },
  "AT-19": {
    rule: "guessing of device codes",
    expected: "400 `invalid_grant`; device codes have 256 random bits",
    source: "RFC 8628 §5.2",
  },
  "AT-20": {
    rule: "device phishing: an attacker sends a link with a user code",
    expected:
      "a GET request approves nothing; the page names the application and shows a warning; powerful scopes require a re-authentication",
    source: "RFC 8628 §5.4",
  },
  "AT-21": {
    rule: "two browser sessions that enter the same user code",
    expected: "the server refuses the user code in the second session",
    source: "RFC 8628 §5.5",
  },
  "AT-22": {
    rule: "the response time of a sign-in with an unknown username",
    expected:
      "the response takes the same time as a response to a wrong password, because the server computes a password hash in both cases",
    source: "RFC 6749 §10.10; RFC 6819 §5.1.4.2",
  },
  "AT-23": {
    rule: "user enumeration by the password grant and by the sign-in form",
    expected: "unknown users and wrong passwords get the same response",
    source: "RFC 6749 §10.10",
  },
  "AT-24": {
    rule: "password spraying over many users or IP addresses",
    expected: "429 after too many attempts for one username or from one IP address",
    source: "RFC 6749 §4.3.2; decision 0031",
  },
  "AT-25": {
    rule: "denial of service by password hashing",
    expected:
      "at most 128 characters of a password are hashed; the number of simultaneous hashes is limited; further requests get 503",
    source: "RFC 9110 §15.6.4",
  },
  "AT-26": {
    rule: "denial of service by wrong client secrets",
    expected: "the server computes one SHA-256 digest for each attempt",
    source: "RFC 6749 §10.10",
  },
  "AT-27": {
    rule: "scope escalation by a token refresh, a consent form, a device request, different letter case or special characters",
    expected: "`invalid_scope`; scopes are case-sensitive",
    source: "RFC 6749 §3.3, §6",
  },
  "AT-28": {
    rule: "a token, an authorization code or an ID token that is sent in place of another kind of credential",
    expected: "every endpoint refuses a credential of the wrong kind",
    source: "RFC 6749 §10.3; RFC 8725 §3.11",
  },
  "AT-29": {
    rule: "impersonation of a confidential client by a request that contains only the client id",
    expected: "401 `invalid_client`; 403 `unauthorized_client` from the revocation endpoint",
    source: "RFC 6749 §10.2",
  },
  "AT-30": {
    rule: "conflicting parameters, credentials or tokens in one request",
    expected: "400 `invalid_request`",
    source: "RFC 6749 §3.1, §3.2; RFC 6750 §2",
  },
  "AT-31": {
    rule: "oversized values, oversized bodies and too many parameters",
    expected: "status 400 or 413, never 500",
    source: "RFC 9110 §15.5.14",
  },
  "AT-32": {
    rule: "U+0000, invalid UTF-8, lone surrogates and look-alike characters in each field",
    expected: "the server responds with 400 or stores the value unchanged; the status is never 500",
    source: "RFC 6749 Appendix A, Appendix B",
  },
  "AT-33": {
    rule: "CR LF in parameters that appear in a response header",
    expected: "CR and LF are percent-encoded; no header is injected",
    source: "RFC 6749 §10.14; RFC 9110 §5.5",
  },
  "AT-34": {
    rule: "HTML in names, and in request parameters such as `state` and `user_code`",
    expected: "HTML is escaped; the CSP allows no inline script without a nonce",
    source: "RFC 6749 §10.14",
  },
  "AT-35": {
    rule: "server-side request forgery by `request_uri`",
    expected: "the server sends no request to the URI",
    source: "OpenID Connect Core §6.2; RFC 9101 §10.4",
  },
  "AT-36": {
    rule: "leaks of tokens and authorization codes through the header `Referer` and through caches",
    expected:
      "other sites receive no `Referer`; responses to requests with a token in the query contain `no-store`",
    source: "RFC 9700 §4.2.4, §4.3.2; RFC 6750 §2.3",
  },
  "AT-37": {
    rule: "the back button after sign-out",
    expected:
      "sign-out ends the session for every copy of the session cookie; pages contain the header `no-store` (AZ-38)",
    source: "RFC 9700 §4.3",
  },
  "AT-38": {
    rule: "cache poisoning and cache deception",
    expected:
      "private responses contain `no-store`; paths that look like files return 404; public responses do not depend on request headers",
    source: "RFC 9111 §7.1",
  },
  "AT-39": {
    rule: "cross-origin requests with credentials",
    expected:
      "no response contains `Access-Control-Allow-Credentials`; a session cookie never authenticates an API request",
    source: "Fetch Standard, CORS protocol",
  },
  "AT-40": {
    rule: "parameters that contain query operators of the database layer (`code[not]=`, JSON objects)",
    expected: "400 `invalid_request`",
    source: "RFC 6749 §5.2",
  },
  "AT-41": {
    rule: "parameters named `__proto__` or `constructor`",
    expected: "the server ignores these parameters",
    source: "RFC 6749 §3.1, §3.2",
  },
  "AT-42": {
    rule: "the form that edits an application is submitted with additional fields (`trusted`, the owner, the client id)",
    expected: "the server ignores the additional fields",
    source: "RFC 6749 §2.2",
  },
  "AT-43": {
    rule: "a request for an object of another user by the id of the object",
    expected: "403, or the same response as for an object that does not exist",
    source: "RFC 6749 §10.3",
  },
  "AT-44": {
    rule: "a forged host name in a request of the device flow",
    expected: "`verification_uri` contains the configured base URL",
    source: "RFC 9700 §4.13",
  },
  "AT-45": {
    rule: "an attacker forges the header `X-Forwarded-For` to circumvent rate limits",
    expected: "the rate limit counts the IP address that trusted proxies report",
    source: "RFC 9700 §4.13",
  },
  "AT-46": {
    rule: "a forged ID token in `id_token_hint`: `alg` none, another issuer, another audience or a broken signature",
    expected: "the server ignores the hint, and the sign-out page requires a confirmation",
    source: "RFC 8725 §3.1, §3.2; OpenID Connect RP-Initiated Logout §2",
  },
  "AT-47": {
    rule: "a system clock that is set back or forward",
    expected: "a token is valid until its expiry, even if the clock was set back",
    source: "RFC 6749 §5.1",
  },
  "AT-48": {
    rule: "requests with tokens of a user who was blocked or deleted, or who changed the password",
    expected: "401 or `invalid_grant`; SC-06 describes the revocation after a password change",
    source: "RFC 6749 §10.4; decision 0029",
  },
  "AT-49": {
    rule: "a consent form for an application that was changed or deleted after the page was shown",
    expected: "the consent form is refused, and no access is granted",
    source: "RFC 6749 §4.1.2.1",
  },
  "AT-50": {
    rule: "enumeration of applications",
    expected: "an unknown client gets the same response as a client with a wrong secret",
    source: "RFC 6749 §5.2, §10.10",
  },
};
