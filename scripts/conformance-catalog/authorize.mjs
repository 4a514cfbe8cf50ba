/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const AUTHORIZE = {
  "AZ-01": {
    rule: "a valid request without a session",
    expected:
      "303 to the sign-in page; after sign-in the same request continues with byte-identical parameters",
    source: "RFC 6749 §3.1; OpenID Connect Core §3.1.2.3",
  },
  "AZ-02": {
    rule: "a valid request with a session",
    expected:
      "303 to the consent page, which names the application, its owner, the user, each scope and the redirect host; no code is issued",
    source: "RFC 6749 §4.1.1",
  },
  "AZ-03": {
    rule: "the user allows the request",
    expected: "303 to the requested redirect URI with `code` and the identical `state`",
    source: "RFC 6749 §4.1.2",
  },
  "AZ-04": {
    rule: "the user denies the request",
    expected: "303 to the redirect URI with `error=access_denied` and `state`, without `code`",
    source: "RFC 6749 §4.1.2.1",
  },
  "AZ-05": {
    rule: "a redirect URI that has a query",
    expected: "the query stays, `code` and `state` are added; a `state` in it is replaced",
    source: "RFC 6749 §3.1.2",
  },
  "AZ-06": {
    rule: "a request without `state`",
    expected: "the response has no `state`",
    source: "RFC 6749 §4.1.2",
  },
  "AZ-07": {
    rule: "a `state` of 4,000 characters",
    expected: "returned unchanged",
    source: "RFC 6749 §4.1.2",
  },
  "AZ-08": {
    rule: "a `state` with CR LF, quotes or `<script>`",
    expected: "percent-encoded in `Location`, escaped in HTML; no header is injected",
    source: "RFC 6749 §10.14",
  },
  "AZ-09": {
    rule: "a request without `client_id`",
    expected: "an error page with status 400, no redirect",
    source: "RFC 6749 §4.1.2.1",
  },
  "AZ-10": {
    rule: "an unknown `client_id`, including one with U+0000 or 10,000 characters",
    expected: "an error page with status 400, no redirect",
    source: "RFC 6749 §4.1.2.1",
  },
  "AZ-11": {
    rule: "a request without `redirect_uri`",
    expected: "an error page with status 400, even if the application has only one redirect URI",
    source: "RFC 6749 §4.1.2.1; Gatehouse specification, Endpoints",
  },
  "AZ-12": {
    rule: "a `redirect_uri` that is not registered",
    expected: "an error page with status 400 and no `Location`",
    source: "RFC 6749 §3.1.2.4; RFC 9700 §4.1.3",
  },
  "AZ-13": {
    rule: "the rules for redirect URIs (RU-06 to RU-10) at the authorization endpoint",
    expected: "accepted or refused according to RU-06 to RU-10",
    source: "RFC 9700 §2.1",
  },
  "AZ-14": {
    rule: "a request without `response_type`",
    expected: "redirect with `invalid_request`",
    source: "RFC 6749 §3.1.1, §4.1.2.1",
  },
  "AZ-15": {
    rule: "`response_type` `token`, `id_token`, `code token` or an unknown word",
    expected:
      "redirect with `unsupported_response_type`, in the fragment if the response type uses the fragment; never a token",
    source: "RFC 6749 §4.1.2.1; Gatehouse specification, What the service does",
  },
  "AZ-16": {
    rule: "an unknown `response_mode`",
    expected: "redirect with `invalid_request` in the query",
    source: "OAuth 2.0 Multiple Response Type Encoding Practices §2.1",
  },
  "AZ-17": {
    rule: "`response_mode=form_post`",
    expected:
      "a 200 page whose form posts `code` and `state`, or `error`, to the redirect URI; values are escaped, `no-store`",
    source: "OAuth 2.0 Form Post Response Mode §2",
  },
  "AZ-18": {
    rule: "a scope that is unknown, or that the application does not have",
    expected: "redirect with `invalid_scope`; nothing is granted in part",
    source: "RFC 6749 §3.3, §4.1.2.1",
  },
  "AZ-19": {
    rule: "a request without `scope`",
    expected: "the default scope `api` if the application has it, otherwise redirect with `invalid_scope`",
    source: "RFC 6749 §3.3",
  },
  "AZ-20": {
    rule: "a parameter that is sent twice",
    expected:
      "`client_id` or `redirect_uri`: an error page with status 400; another parameter: redirect with `invalid_request`, with one `state` at most",
    source: "RFC 6749 §3.1, §4.1.2.1",
  },
  "AZ-21": {
    rule: "scopes and parameters in another order",
    expected: "the same result",
    source: "RFC 6749 §3.3",
  },
  "AZ-22": {
    rule: "spaces and forbidden characters in `scope`",
    expected: "repeated and outer spaces are ignored; a tab, newline, quote or backslash: `invalid_scope`",
    source: "RFC 6749 §3.3",
  },
  "AZ-23": {
    rule: "a request object, `request` or `request_uri`",
    expected:
      "redirect with `request_not_supported` or `request_uri_not_supported`; the URI is never fetched",
    source: "OpenID Connect Core §3.1.2.6, §6",
  },
  "AZ-24": {
    rule: "`prompt=none` without a session, or together with another word",
    expected:
      "without a session: redirect with `login_required` and no page; with another word: `invalid_request` after sign-in",
    source: "OpenID Connect Core §3.1.2.1, §3.1.2.6",
  },
  "AZ-25": {
    rule: "`prompt=none` with a session and without consent",
    expected: "redirect with `consent_required`",
    source: "OpenID Connect Core §3.1.2.6",
  },
  "AZ-26": {
    rule: "`prompt=login` and `max_age`",
    expected:
      "sign-in is repeated for `prompt=login` and for a session older than `max_age`, and `auth_time` is updated; a more recent session is accepted",
    source: "OpenID Connect Core §3.1.2.1",
  },
  "AZ-27": {
    rule: "`prompt=consent`",
    expected: "the consent page is shown even if it would otherwise be skipped",
    source: "OpenID Connect Core §3.1.2.1",
  },
  "AZ-28": {
    rule: "a request with and without `nonce`",
    expected: "the ID token has the identical `nonce`, or none; both succeed",
    source: "OpenID Connect Core §3.1.2.1, §2",
  },
  "AZ-29": {
    rule: "`login_hint`, `ui_locales`, `claims_locales`, `acr_values`, `display`, `id_token_hint`",
    expected:
      "accepted; `login_hint` fills in the sign-in page, an `id_token_hint` of another user requires sign-in",
    source: "OpenID Connect Core §3.1.2.1",
  },
  "AZ-30": {
    rule: "a further request of a confidential application for scopes that the user has allowed",
    expected: "the code is issued without the consent page",
    source: "RFC 6749 §4.1.1",
  },
  "AZ-31": {
    rule: "a further request of a public application",
    expected: "the consent page is shown each time, except for `prompt=none` (AZ-46)",
    source: "RFC 8252 §8.6",
  },
  "AZ-46": {
    rule: "`prompt=none` of a public application whose scopes the user has allowed",
    expected: "a code if the redirect URI is https or loopback; `consent_required` otherwise",
    source: "OpenID Connect Core §3.1.2.1; decision 0096",
  },
  "AZ-32": {
    rule: "a trusted confidential application",
    expected: "no consent page; the session and all other checks are still required",
    source: "RFC 6749 §4.1.1",
  },
  "AZ-33": {
    rule: "a request for more scopes than the user has allowed",
    expected: "the consent page is shown again",
    source: "RFC 6749 §3.3",
  },
  "AZ-34": {
    rule: "a consent form without a CSRF token, or with one of another session or user",
    expected: "403, and no code is issued",
    source: "RFC 6749 §10.12; RFC 9700 §4.7",
  },
  "AZ-35": {
    rule: "a consent form with changed hidden fields",
    expected: "validated again: scopes, client and redirect URI that the page did not show are not granted",
    source: "RFC 6749 §10.14; decision 0005",
  },
  "AZ-36": {
    rule: "a consent form that is posted twice",
    expected: "one usable code; no 500",
    source: "RFC 6749 §4.1.2",
  },
  "AZ-37": {
    rule: "an authorization request that is sent by POST",
    expected: "303 to the same request by GET; nothing changes",
    source: "RFC 6749 §3.1; OpenID Connect Core §3.1.2.1",
  },
  "AZ-38": {
    rule: "headers of sign-in, consent, device and error pages",
    expected:
      "`frame-ancestors 'none'`, `X-Frame-Options: DENY`, `Referrer-Policy: same-origin`, `no-store`; no third-party resource",
    source: "RFC 9700 §4.2.4, §4.16",
  },
  "AZ-39": {
    rule: "the CSP directive `form-action` of pages that end in a redirect to the client",
    expected: "contains the origin or scheme of the redirect URI, so that browsers follow the redirect",
    source: "Content Security Policy Level 3, form-action",
  },
  "AZ-40": {
    rule: "the lifetime of a code",
    expected: "accepted after 9 min 59 s, `invalid_grant` after 10 min",
    source: "RFC 6749 §4.1.2",
  },
  "AZ-41": {
    rule: "a user who is blocked or deleted after consent",
    expected: "the exchange fails with 400 `invalid_grant`",
    source: "RFC 6749 §5.2",
  },
  "AZ-42": {
    rule: "the redirect URI `urn:ietf:wg:oauth:2.0:oob`",
    expected: "a 200 page shows the code, `no-store`, without a redirect",
    source: "GitLab documentation, OAuth 2.0 provider",
  },
  "AZ-43": {
    rule: "a private-use scheme, `com.example.app:/cb`",
    expected: "`Location: com.example.app:/cb?code=…`",
    source: "RFC 8252 §7.1",
  },
  "AZ-44": {
    rule: "a request of another origin to the authorization endpoint",
    expected: "no `Access-Control-*` header, no OPTIONS",
    source: "RFC 9700 §2.6",
  },
};
