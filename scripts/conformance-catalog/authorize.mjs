/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const AUTHORIZE = {
  "AZ-01": {
    rule: "a valid authorization request without a session",
    expected:
      "303 to the sign-in page; after sign-in, the same request continues with byte-identical parameters",
    source: "RFC 6749 §3.1; OpenID Connect Core §3.1.2.3",
  },
  "AZ-02": {
    rule: "a valid authorization request with a session",
    expected:
      "303 to the consent page, which names the application, its owner, the user, each scope and the host of the redirect URI; no authorization code is issued",
    source: "RFC 6749 §4.1.1",
  },
  "AZ-03": {
    rule: "the user allows the authorization request",
    expected: "303 to the requested redirect URI with `code` and the identical `state`",
    source: "RFC 6749 §4.1.2",
  },
  "AZ-04": {
    rule: "the user denies the authorization request",
    expected: "303 to the redirect URI with `error=access_denied` and `state`, without `code`",
    source: "RFC 6749 §4.1.2.1",
  },
  "AZ-05": {
    rule: "a redirect URI that has a query",
    expected:
      "the query of the redirect URI is kept; `code` and `state` are added; a `state` that the query already contains is replaced",
    source: "RFC 6749 §3.1.2",
  },
  "AZ-06": {
    rule: "an authorization request without `state`",
    expected: "the response has no `state`",
    source: "RFC 6749 §4.1.2",
  },
  "AZ-07": {
    rule: "a `state` of 4,000 characters",
    expected: "the `state` is returned unchanged",
    source: "RFC 6749 §4.1.2",
  },
  "AZ-08": {
    rule: "a `state` with CR LF, quotes or `<script>`",
    expected: "the `state` is percent-encoded in `Location` and escaped in HTML; no header is injected",
    source: "RFC 6749 §10.14",
  },
  "AZ-09": {
    rule: "an authorization request without `client_id`",
    expected: "an error page with status 400 and no redirect",
    source: "RFC 6749 §4.1.2.1",
  },
  "AZ-10": {
    rule: "an unknown `client_id`, including one with U+0000 or 10,000 characters",
    expected: "an error page with status 400 and no redirect",
    source: "RFC 6749 §4.1.2.1",
  },
  "AZ-11": {
    rule: "an authorization request without `redirect_uri`",
    expected: "an error page with status 400, even if the application has only one redirect URI",
    source: "RFC 6749 §4.1.2.1; Gatehouse specification, Endpoints",
  },
  "AZ-12": {
    rule: "a `redirect_uri` that is not registered",
    expected: "an error page with status 400 and no `Location`",
    source: "RFC 6749 §3.1.2.4; RFC 9700 §4.1.3",
  },
  "AZ-13": {
    rule: "redirect URIs as in RU-06 to RU-10, in an authorization request",
    expected: "the redirect URIs are accepted or refused as RU-06 to RU-10 require",
    source: "RFC 9700 §2.1",
  },
  "AZ-14": {
    rule: "an authorization request without `response_type`",
    expected: "redirect with `invalid_request`",
    source: "RFC 6749 §3.1.1, §4.1.2.1",
  },
  "AZ-15": {
    rule: "the `response_type` `token`, `id_token` or `code token`, or an unknown value",
    expected:
      "redirect with `unsupported_response_type`; the parameters are in the fragment if the response type uses the fragment; no token is issued",
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
      "a page with status 200 and `no-store`, whose form posts `code` and `state`, or `error`, to the redirect URI; values are escaped",
    source: "OAuth 2.0 Form Post Response Mode §2",
  },
  "AZ-18": {
    rule: "a scope that is unknown, or that the application does not have",
    expected: "redirect with `invalid_scope`; none of the requested scopes is granted",
    source: "RFC 6749 §3.3, §4.1.2.1",
  },
  "AZ-19": {
    rule: "an authorization request without `scope`",
    expected:
      "the request gets the default scope `api` if the application has this scope, otherwise a redirect with `invalid_scope`",
    source: "RFC 6749 §3.3",
  },
  "AZ-20": {
    rule: "a parameter that is sent twice",
    expected:
      "for `client_id` and `redirect_uri`, an error page with status 400; for other parameters, a redirect with `invalid_request` and at most one `state`",
    source: "RFC 6749 §3.1, §4.1.2.1",
  },
  "AZ-21": {
    rule: "scopes and parameters in an unusual order",
    expected: "the response does not depend on the order",
    source: "RFC 6749 §3.3",
  },
  "AZ-22": {
    rule: "spaces and forbidden characters in `scope`",
    expected:
      "repeated, leading and trailing spaces are ignored; a tab, a newline, a quote or a backslash causes `invalid_scope`",
    source: "RFC 6749 §3.3",
  },
  "AZ-23": {
    rule: "a request object in the parameter `request` or `request_uri`",
    expected:
      "redirect with `request_not_supported` or `request_uri_not_supported`; the URI is never fetched",
    source: "OpenID Connect Core §3.1.2.6, §6",
  },
  "AZ-24": {
    rule: "`prompt=none` without a session, or together with another value of `prompt`",
    expected:
      "without a session, a redirect with `login_required` instead of a page; together with another value, `invalid_request` after the sign-in",
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
      "`prompt=login`, or a session that is older than `max_age`, requires another sign-in, which updates `auth_time`; a more recent session is accepted",
    source: "OpenID Connect Core §3.1.2.1",
  },
  "AZ-27": {
    rule: "`prompt=consent`",
    expected: "the consent page is shown even if it would otherwise be skipped",
    source: "OpenID Connect Core §3.1.2.1",
  },
  "AZ-28": {
    rule: "an authorization request with `nonce`, and an authorization request without `nonce`",
    expected:
      "both requests succeed; the ID token contains the `nonce` of the request unchanged, or no `nonce`",
    source: "OpenID Connect Core §3.1.2.1, §2",
  },
  "AZ-29": {
    rule: "`login_hint`, `ui_locales`, `claims_locales`, `acr_values`, `display`, `id_token_hint`",
    expected:
      "these six parameters are accepted; `login_hint` fills in the sign-in form, and an `id_token_hint` of another user requires a sign-in",
    source: "OpenID Connect Core §3.1.2.1",
  },
  "AZ-30": {
    rule: "a later authorization request of a confidential application for scopes that the user has allowed",
    expected: "the authorization code is issued without the consent page",
    source: "RFC 6749 §4.1.1",
  },
  "AZ-31": {
    rule: "a later authorization request of a public application",
    expected: "the consent page is shown for each request, except for requests with `prompt=none` (AZ-46)",
    source: "RFC 8252 §8.6",
  },
  "AZ-46": {
    rule: "`prompt=none` of a public application whose scopes the user has allowed",
    expected:
      "an authorization code is issued if the redirect URI is an https URL or has a loopback address; otherwise redirect with `consent_required`",
    source: "OpenID Connect Core §3.1.2.1; decision 0096",
  },
  "AZ-32": {
    rule: "an authorization request of a trusted confidential application",
    expected: "the consent page is not shown; the session and all other checks are still required",
    source: "RFC 6749 §4.1.1",
  },
  "AZ-33": {
    rule: "an authorization request for more scopes than the user has allowed",
    expected: "the consent page is shown again",
    source: "RFC 6749 §3.3",
  },
  "AZ-34": {
    rule: "a consent form without a CSRF token, or with the CSRF token of another session or user",
    expected: "403, and no authorization code is issued",
    source: "RFC 6749 §10.12; RFC 9700 §4.7",
  },
  "AZ-35": {
    rule: "a consent form with changed hidden fields",
    expected:
      "the server validates the fields again, and issues no authorization code for a scope, a client or a redirect URI that the page did not show",
    source: "RFC 6749 §10.14; decision 0005",
  },
  "AZ-36": {
    rule: "a consent form that is posted twice",
    expected: "only one usable authorization code is issued; the status is never 500",
    source: "RFC 6749 §4.1.2",
  },
  "AZ-37": {
    rule: "an authorization request that is sent by POST",
    expected: "303 redirects the browser, which sends the same request by GET; no data changes",
    source: "RFC 6749 §3.1; OpenID Connect Core §3.1.2.1",
  },
  "AZ-38": {
    rule: "the headers of sign-in, consent, device and error pages",
    expected:
      "`frame-ancestors 'none'`, `X-Frame-Options: DENY`, `Referrer-Policy: same-origin` and `no-store`; the page loads no resource of a third party",
    source: "RFC 9700 §4.2.4, §4.16",
  },
  "AZ-39": {
    rule: "the CSP directive `form-action` of pages with a form whose response redirects to the client",
    expected:
      "the directive is absent, so that browsers follow the redirect to the client and the redirects of the client",
    source: "Content Security Policy Level 3, form-action",
  },
  "AZ-40": {
    rule: "the lifetime of an authorization code",
    expected:
      "the authorization code is accepted after 9 min 59 s, and refused with `invalid_grant` after 10 min",
    source: "RFC 6749 §4.1.2",
  },
  "AZ-41": {
    rule: "a user who is blocked or deleted after consent",
    expected: "the code exchange fails with 400 `invalid_grant`",
    source: "RFC 6749 §5.2",
  },
  "AZ-42": {
    rule: "the redirect URI `urn:ietf:wg:oauth:2.0:oob`",
    expected: "a page with status 200 and `no-store` shows the authorization code, without a redirect",
    source: "GitLab documentation, OAuth 2.0 provider",
  },
  "AZ-43": {
    rule: "a redirect URI with a private-use scheme, `com.example.app:/cb`",
    expected: "`Location: com.example.app:/cb?code=…`",
    source: "RFC 8252 §7.1",
  },
  "AZ-44": {
    rule: "a cross-origin request to the authorization endpoint",
    expected: "the response has no `Access-Control-*` header, and OPTIONS is not supported",
    source: "RFC 9700 §2.6",
  },
};
