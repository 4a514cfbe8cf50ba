/**
 * A rule of the protocol or of the product.
 * @typedef {object} Requirement
 * @property {string} rule the request or situation
 * @property {string} expected the required result: status, error code, effect
 * @property {string} source the section of the RFC or document that requires the result, or the decision in
 * docs/decisions/
 */

/** The headings of docs/conformance.md, and the letters of the ids below each. @type {Readonly<Record<string, readonly string[]>>} */
export const SECTIONS = {
  "Cross-cutting": ["XC"],
  "`GET|POST /oauth/authorize` and consent": ["AZ"],
  "`POST /oauth/token`, all grants": ["TK"],
  authorization_code: ["AC"],
  PKCE: ["PK"],
  refresh_token: ["RT"],
  password: ["PW"],
  "device_code at `/oauth/token`": ["DT"],
  "`POST /oauth/authorize_device`": ["DA"],
  "`/oauth/device` page": ["DV"],
  "`POST /oauth/revoke`": ["RV"],
  "`POST /oauth/introspect`": ["IN"],
  "`GET /oauth/token/info`": ["TI"],
  "`GET|POST /oauth/userinfo` and ID token": ["UI", "ID"],
  "Authentication context classes and step-up": ["SU"],
  "Back-channel logout": ["BL"],
  "Discovery, JWKS, CORS": ["DC", "JW", "CO"],
  "Applications page and redirect URI rules": ["AP", "RU"],
  "Unregistered clients": ["CD", "CR"],
  "Protected resources and the MCP server": ["RI", "MC"],
  "Using the token": ["US"],
  "Signed client assertions": ["CA"],
  "Credentials for machines": ["MA"],
  "`POST /oauth/par`": ["PR"],
  "Sign-in with other providers": ["SP"],
  "Tokens that are bound to a key (DPoP)": ["DP"],
  Attacks: ["AT"],
  "Load and faults": ["LF"],
  "Security, clients and faults": ["SC"],
  "Certification plans of the OpenID Foundation": ["OF"],
};

/** @satisfies {Record<string, Requirement>} */
export const REQUIREMENTS = {
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
  "XC-01": {
    rule: "a method that an OAuth endpoint does not support, such as GET `/oauth/token` or POST `/oauth/token/info`",
    expected: "405: the endpoint has no handler for the method",
    source: "RFC 6749 §3.2; RFC 9110 §15.5.6",
  },
  "CD-01": {
    rule: "a `client_id` that is the URL of a client metadata document",
    expected: "the client of the document, with consent for each authorization",
    source: "draft-ietf-oauth-client-id-metadata-document, Client Information Discovery",
  },
  "CD-02": {
    rule: "a document with another `client_id`, a secret, or an authentication by secret",
    expected: "a page 400 without a redirect",
    source: "draft-ietf-oauth-client-id-metadata-document, Client Metadata",
  },
  "CD-03": {
    rule: "unknown members of a document",
    expected: "ignored",
    source: "RFC 7591 §2",
  },
  "CD-04": {
    rule: "redirect URIs of a document on other origins",
    expected: "ignored; only loopback URIs and URIs of the origin of the document are used",
    source: "draft-ietf-oauth-client-id-metadata-document, Redirect URI",
  },
  "CD-05": {
    rule: "the time for which a document is used without another request",
    expected: "the time in its headers, at least 5 minutes and at most a day; one request per minute",
    source: "draft-ietf-oauth-client-id-metadata-document, Metadata Caching",
  },
  "CD-06": {
    rule: "a document on a host that is not public, behind a redirect to another origin, or larger than 5 KB",
    expected: "a page 400 without a redirect; the request does not reach other hosts",
    source: "draft-ietf-oauth-client-id-metadata-document, Server Side Request Forgery",
  },
  "CD-07": {
    rule: "a document client without a session",
    expected: "sign-in first: no document is requested for visitors",
    source: "decision 0087",
  },
  "CD-08": {
    rule: "a document with `private_key_jwt` and `jwks` or `jwks_uri`",
    expected:
      "the client must sign an assertion with its key; a stale document is fetched again before its keys are used",
    source: "draft-ietf-oauth-client-id-metadata-document, Client Authentication",
  },
  "CR-01": {
    rule: "a client that registers itself",
    expected:
      "201 with a public client, the granted scopes and a registration access token, which is stored as a digest",
    source: "RFC 7591 §3.2.1",
  },
  "CR-02": {
    rule: "client metadata without a usable redirect URI",
    expected: "400 `invalid_redirect_uri` or `invalid_client_metadata`",
    source: "RFC 7591 §3.2.2",
  },
  "CR-03": {
    rule: "registration while the setting is off",
    expected: "403, no `registration_endpoint` in the metadata, and no authorization of registered clients",
    source: "decision 0088",
  },
  "CR-04": {
    rule: "many registrations from one source",
    expected: "429 with `Retry-After`",
    source: "RFC 7591 §5",
  },
  "CR-05": {
    rule: "reading, changing and deleting a registration",
    expected: "only with the registration access token of the client; otherwise 401",
    source: "RFC 7592 §2",
  },
  "CR-06": {
    rule: "a client that no user authorizes for 7 days",
    expected: "its registration is removed, unless an administrator has blocked it",
    source: "decision 0088",
  },
  "RI-01": {
    rule: "the parameter `resource` of a request",
    expected:
      "accepted for the instance, the API, the MCP server and the identifiers of resource servers; otherwise `invalid_target`",
    source: "RFC 8707 §2",
  },
  "RI-02": {
    rule: "a token that was issued for a protected resource",
    expected: "refused with 401 at every path outside the resource",
    source: "RFC 8707 §2.2",
  },
  "RI-03": {
    rule: "a token request with another `resource` than the authorization request",
    expected: "400 `invalid_target`",
    source: "RFC 8707 §2.2",
  },
  "RI-04": {
    rule: "the metadata of a protected resource",
    expected: "its URL, its authorization server and its scopes, also for pages of other origins",
    source: "RFC 9728 §2, §3",
  },
  "RI-05": {
    rule: "a token that was issued for the identifier of a resource server",
    expected:
      "only this resource server can introspect it; `aud` is the identifier; the API and userinfo refuse it; the consent page names the server",
    source: "RFC 8707 §2, §3; RFC 9068 §3; decision 0102",
  },
  "RI-06": {
    rule: "the identifiers of a resource server",
    expected:
      "absolute URIs outside this instance, each for one application; without effect unless the application is a resource server",
    source: "RFC 8707 §2; decision 0102",
  },
  "MC-01": {
    rule: "a request to the MCP server without a valid token",
    expected: "401 with a challenge that contains `resource_metadata`",
    source: "RFC 9728 §5.1; Model Context Protocol, Authorization",
  },
  "MC-02": {
    rule: "a token without the scope `mcp`",
    expected: "403 `insufficient_scope` with a challenge that contains the scope",
    source: "RFC 6750 §3.1; Model Context Protocol, Authorization",
  },
  "MC-03": {
    rule: "a tool of the MCP server",
    expected: "the same rights as the endpoint of the API with the same data",
    source: "goal of the product",
  },
  "XC-02": {
    rule: "the members and headers of JSON responses",
    expected: "`Content-Type: application/json`, and no member beyond the documented ones",
    source: "RFC 6749 §5.1",
  },
  "XC-03": {
    rule: "caching of responses that contain tokens, codes or information about them",
    expected: "`Cache-Control: no-store`; token and device responses also `Pragma: no-cache`",
    source: "RFC 6749 §5.1; RFC 8628 §3.2",
  },
  "XC-04": {
    rule: "every error of a JSON endpoint",
    expected:
      "a JSON object with `error` and `error_description` in printable ASCII; no stack, SQL, file path or secret in it",
    source: "RFC 6749 §5.2",
  },
  "XC-05": {
    rule: "an unknown parameter, such as `foo=bar`",
    expected: "ignored: the response is the same as without it",
    source: "RFC 6749 §3.1, §3.2",
  },
  "XC-06": {
    rule: "a parameter with an empty value",
    expected: "treated as absent",
    source: "RFC 6749 §3.1, §3.2",
  },
  "XC-07": {
    rule: "a known parameter that is sent twice in the query, in the body, or once in each",
    expected: "400 `invalid_request`; at the authorization endpoint as AZ-20",
    source: "RFC 6749 §3.1, §3.2",
  },
  "XC-08": {
    rule: "bracketed or nested names (`scope[]=a`) and JSON arrays or objects as values",
    expected: "400 `invalid_request`, an error page with status 400 at the authorization endpoint; never 500",
    source: "RFC 6749 §5.2; decision 0006",
  },
  "XC-09": {
    rule: "malformed percent-encoding (`%zz`), invalid UTF-8 (`%ff`), a lone surrogate, or U+0000 in a value",
    expected:
      "refused as malformed: 400 `invalid_request` from an OAuth endpoint, 401 for a credential or token; never 500",
    source: "RFC 6749 §5.2, Appendix B",
  },
  "XC-10": {
    rule: "a body above 64 KiB",
    expected: "413 `invalid_request`; a page with status 413 if the sender is a browser",
    source: "RFC 9110 §15.5.14",
  },
  "XC-11": {
    rule: "the content type of a request body",
    expected:
      "form, JSON and multipart are accepted at the token endpoint; `text/plain` and a missing type: 400 `invalid_request`",
    source: "RFC 6749 §3.2, Appendix B",
  },
  "XC-12": {
    rule: "a malformed JSON body",
    expected: "400 `invalid_request` as JSON",
    source: "RFC 6749 §5.2",
  },
  "XC-13": {
    rule: "forged `Host`, `X-Forwarded-Host` and `X-Forwarded-Proto` headers",
    expected: "issuer, metadata, `verification_uri` and redirects keep the configured base URL",
    source: "RFC 9700 §4.13",
  },
  "XC-14": {
    rule: "a trailing slash (`POST /oauth/token/`)",
    expected: "handled by the same endpoint (400 without parameters), never a redirect",
    source: "goal of the product",
  },
  "XC-15": {
    rule: "logs after requests with known secrets",
    expected: "no token, code, client secret, password or verifier in any log line",
    source: "RFC 6749 §10.3",
  },
  "XC-16": {
    rule: "tokens, codes, secrets and passwords in the database",
    expected: "only digests: SHA-256 of tokens and client secrets, argon2id of passwords",
    source: "RFC 6819 §5.1.4.1.3",
  },
  "XC-17": {
    rule: "entropy and alphabet of issued tokens and codes",
    expected: "256 random bits, a prefix that names the kind, URL-safe ASCII",
    source: "RFC 6749 §10.10",
  },
  "XC-18": {
    rule: "any request while the database cannot be reached",
    expected:
      "503 with `Retry-After`; `temporarily_unavailable` from OAuth endpoints; no detail of the database",
    source: "RFC 7009 §2.2.1; RFC 9110 §15.6.4",
  },
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
  "TK-01": {
    rule: "the response to a successful grant",
    expected:
      "200 with `access_token`, `token_type`, `expires_in` 7200, `created_at`, `scope`, and a refresh token if the grant has one",
    source: "RFC 6749 §5.1; Gatehouse specification, Resources and their fields",
  },
  "TK-02": {
    rule: "a request without `grant_type`, or with an empty one",
    expected: "400 `invalid_request`; a code in it stays valid",
    source: "RFC 6749 §5.2",
  },
  "TK-03": {
    rule: "an unknown grant, `implicit` or `client_credentials`",
    expected: "400 `unsupported_grant_type`",
    source: "RFC 6749 §5.2; Gatehouse specification, What the service does",
  },
  "TK-04": {
    rule: "a grant that is switched off",
    expected:
      "for the application: 400 `unauthorized_client`; for the instance: 400 `unsupported_grant_type`",
    source: "RFC 6749 §5.2",
  },
  "TK-05": { rule: "the credentials of a client by HTTP Basic", expected: "200", source: "RFC 6749 §2.3.1" },
  "TK-06": {
    rule: "the credentials of a client in the form",
    expected: "200",
    source: "RFC 6749 §2.3.1; Gatehouse specification, Endpoints",
  },
  "TK-07": {
    rule: "the scheme `Basic` in another case or followed by several spaces",
    expected: "200",
    source: "RFC 9110 §11.1",
  },
  "TK-08": {
    rule: "Basic credentials with and without percent-encoding",
    expected: "200 for both",
    source: "RFC 6749 §2.3.1, Appendix B",
  },
  "TK-09": {
    rule: "malformed Basic credentials",
    expected: "401 `invalid_client` with `WWW-Authenticate: Basic`",
    source: "RFC 6749 §5.2; RFC 7617 §2",
  },
  "TK-10": {
    rule: "a wrong secret by Basic",
    expected: "401 `invalid_client` with `WWW-Authenticate: Basic`",
    source: "RFC 6749 §5.2",
  },
  "TK-11": {
    rule: "a wrong secret in the form",
    expected: "401 `invalid_client`; the code stays valid",
    source: "RFC 6749 §5.2",
  },
  "TK-12": {
    rule: "a confidential client without a secret",
    expected: "401 `invalid_client`",
    source: "RFC 6749 §3.2.1, §5.2",
  },
  "TK-13": {
    rule: "an unknown client, and no client",
    expected: "401 `invalid_client` with the same body as for a wrong secret",
    source: "RFC 6749 §5.2",
  },
  "TK-14": {
    rule: "a public client that sends a secret",
    expected: "401 `invalid_client`",
    source: "RFC 6749 §2.3",
  },
  "TK-15": {
    rule: "different credentials in Basic and form, or two clients",
    expected: "400 `invalid_request`",
    source: "RFC 6749 §2.3; decision 0036",
  },
  "TK-16": {
    rule: "Basic together with the same `client_id` in the form",
    expected: "200",
    source: "RFC 6749 §2.3; decision 0036",
  },
  "TK-17": {
    rule: "credentials or grant parameters in the query of the POST",
    expected: "400 `invalid_request`; nothing is issued",
    source: "RFC 6749 §2.3.1; decision 0006",
  },
  "TK-18": {
    rule: "a JSON body with the same members",
    expected: "200; a member that is an array or object: 400 `invalid_request`",
    source: "decision 0006",
  },
  "TK-19": {
    rule: "the headers of a 400 response",
    expected: "no `WWW-Authenticate`",
    source: "RFC 6749 §5.2; RFC 9110 §11.6.1",
  },
  "TK-20": {
    rule: "two applications with grants of one user",
    expected: "revoking or refreshing the tokens of one application does not affect the other",
    source: "RFC 6749 §10.3",
  },
  "TK-21": {
    rule: "a deleted application",
    expected: "401 `invalid_client` at the token endpoint; its tokens get 401 from the API",
    source: "RFC 6749 §5.2; RFC 6750 §3.1",
  },
  "TK-22": {
    rule: "a client secret that is removed while another one stays",
    expected: "401 `invalid_client` from the next request; the other secret and issued tokens work",
    source: "RFC 6749 §2.3.1",
  },
  "TK-23": {
    rule: "a public client that sends Basic with an empty password",
    expected: "200",
    source: "RFC 6749 §2.3.1",
  },
  "AC-01": {
    rule: "a valid exchange by a confidential client",
    expected: "200 with access and refresh token and the allowed scopes",
    source: "RFC 6749 §4.1.4",
  },
  "AC-02": {
    rule: "an exchange without `code`",
    expected: "400 `invalid_request`",
    source: "RFC 6749 §4.1.3, §5.2",
  },
  "AC-03": {
    rule: "an exchange without `redirect_uri`",
    expected: "400 `invalid_request`; the code stays valid",
    source: "RFC 6749 §4.1.3",
  },
  "AC-04": {
    rule: "a `redirect_uri` that differs from the `redirect_uri` of the authorization request",
    expected: "400 `invalid_grant`; the code stays valid",
    source: "RFC 6749 §4.1.3, §5.2",
  },
  "AC-05": {
    rule: "a code that is unknown, expired or used",
    expected: "400 `invalid_grant`",
    source: "RFC 6749 §5.2",
  },
  "AC-06": {
    rule: "a code of another client",
    expected: "400 `invalid_grant`; its owner can still exchange it",
    source: "RFC 6749 §4.1.3",
  },
  "AC-07": {
    rule: "a second use of a code",
    expected:
      "400 `invalid_grant`; after `code_reuse_leeway`, all tokens that were issued for the code are revoked",
    source: "RFC 6749 §4.1.2, §10.5",
  },
  "AC-08": {
    rule: "a second use without valid client authentication",
    expected: "401 `invalid_client`; the first tokens stay valid",
    source: "RFC 6749 §10.5",
  },
  "AC-09": {
    rule: "a wrong verifier, then the correct one",
    expected: "400 `invalid_grant`, then 200",
    source: "RFC 7636 §4.6",
  },
  "AC-10": { rule: "`scope` in the exchange", expected: "ignored", source: "RFC 6749 §4.1.3" },
  "AC-11": {
    rule: "a loopback redirect URI whose port differs between authorization request and exchange",
    expected: "400 `invalid_grant`",
    source: "RFC 6749 §4.1.3",
  },
  "PK-01": {
    rule: "a public client with `S256` and verifier",
    expected: "200 with a refresh token, without a secret",
    source: "RFC 7636 §4.6; Gatehouse specification, Endpoints",
  },
  "PK-02": {
    rule: "a confidential client with `S256`, verifier and secret",
    expected: "200; a wrong secret 401 `invalid_client`, a wrong verifier 400 `invalid_grant`",
    source: "RFC 9700 §2.1.1",
  },
  "PK-03": {
    rule: "`code_challenge_method` `plain`, absent, `s256` or `S512` with a challenge",
    expected: "redirect with `invalid_request`",
    source: "RFC 7636 §4.4.1; RFC 9700 §2.1.1",
  },
  "PK-04": {
    rule: "a method without a challenge",
    expected:
      "a public client: redirect with `invalid_request`; a confidential client: handled as a request without PKCE",
    source: "RFC 7636 §4.4.1; decision 0036",
  },
  "PK-05": {
    rule: "a challenge that is not 43 base64url characters",
    expected: "redirect with `invalid_request`",
    source: "RFC 7636 §4.2",
  },
  "PK-06": {
    rule: "a missing or empty verifier for a code with a challenge",
    expected: "400 `invalid_request`",
    source: "RFC 7636 §4.5",
  },
  "PK-07": {
    rule: "a verifier of 42 or 129 characters, or with other characters",
    expected: "400 `invalid_request`, even if it matches the challenge",
    source: "RFC 7636 §4.1; Gatehouse specification, Limits",
  },
  "PK-08": {
    rule: "a well-formed verifier that does not match",
    expected: "400 `invalid_grant`; the code stays valid",
    source: "RFC 7636 §4.6",
  },
  "PK-09": {
    rule: "a verifier of 43 and of 128 characters with each of `-._~`",
    expected: "200",
    source: "RFC 7636 §4.1; Gatehouse specification, Endpoints",
  },
  "PK-10": {
    rule: "a verifier for a code without a challenge",
    expected: "400 `invalid_grant`",
    source: "RFC 9700 §4.8.2",
  },
  "PK-11": {
    rule: "a public client without a challenge",
    expected: "redirect with `invalid_request`",
    source: "RFC 9700 §2.1.1",
  },
  "PK-12": { rule: "`code_challenge_method` in the exchange", expected: "ignored", source: "RFC 6749 §3.2" },
  "PK-13": {
    rule: "the code of one flow with the verifier of another flow",
    expected: "400 `invalid_grant`",
    source: "RFC 9700 §4.5.3",
  },
  "PK-14": {
    rule: "PKCE in the metadata",
    expected: '`code_challenge_methods_supported` is `["S256"]`',
    source: "RFC 8414 §2",
  },
  "RT-01": {
    rule: "a refresh by a confidential client without `redirect_uri`",
    expected: "200 with a new access and a new refresh token, the same scopes and the full lifetime",
    source: "RFC 6749 §6; Gatehouse specification, States and transitions",
  },
  "RT-02": {
    rule: "a refresh by a public client with its `client_id`",
    expected: "200",
    source: "RFC 6749 §6",
  },
  "RT-03": {
    rule: "the previous access token after a refresh",
    expected: "401 at the API, token info and userinfo",
    source: "Gatehouse specification, States and transitions",
  },
  "RT-04": {
    rule: "a refresh after the access token has expired",
    expected: "200",
    source: "Gatehouse specification, States and transitions",
  },
  "RT-05": {
    rule: "a refresh without `refresh_token`",
    expected: "400 `invalid_request`",
    source: "RFC 6749 §6, §5.2",
  },
  "RT-06": {
    rule: "an unknown value, an access token or a code as refresh token",
    expected: "400 `invalid_grant`; the access token stays valid",
    source: "RFC 6749 §5.2",
  },
  "RT-07": {
    rule: "the refresh token of another client",
    expected: "400 `invalid_grant`; its owner can still use it",
    source: "RFC 6749 §6",
  },
  "RT-08": {
    rule: "a confidential client without a secret or with a wrong one; no client",
    expected: "401 `invalid_client`; without a client 400 `invalid_grant`; the token stays valid",
    source: "RFC 6749 §6, §5.2",
  },
  "RT-09": {
    rule: "a revoked refresh token",
    expected: "400 `invalid_grant`; 401 `invalid_client` where the application is deleted",
    source: "RFC 6749 §5.2",
  },
  "RT-10": { rule: "a rotated refresh token", expected: "400 `invalid_grant`", source: "RFC 9700 §4.14.2" },
  "RT-11": {
    rule: "a rotated refresh token after `refresh_reuse_leeway`",
    expected: "400 `invalid_grant`; the whole token family is revoked and an audit event is recorded",
    source: "RFC 9700 §4.14.2; decision 0007",
  },
  "RT-12": {
    rule: "a rotated refresh token within `refresh_reuse_leeway`",
    expected:
      "400 `invalid_grant`; the family stays valid. With `refresh_retry_window` the same client gets the identical response",
    source: "RFC 9700 §4.14.2; decision 0007",
  },
  "RT-13": {
    rule: "a scope beyond the grant",
    expected: "400 `invalid_scope`; the token stays valid",
    source: "RFC 6749 §6",
  },
  "RT-14": {
    rule: "a narrower scope",
    expected:
      "the new access token and the response have the narrower scope; the next refresh can request the original scopes again",
    source: "RFC 6749 §6",
  },
  "RT-15": {
    rule: "`redirect_uri` in a refresh",
    expected:
      "equal or absent: 200; different: 400 `invalid_grant`; with `refresh_requires_redirect_uri` absent: 400 `invalid_request`",
    source: "Gatehouse specification, Authentication",
  },
  "RT-16": {
    rule: "`code_verifier` in a refresh of a PKCE grant",
    expected: "correct or absent: 200; wrong: 400 `invalid_grant`",
    source: "Gatehouse specification, Endpoints",
  },
  "RT-17": {
    rule: "a user who withdraws consent or is blocked",
    expected: "400 `invalid_grant`; the access tokens get 401",
    source: "RFC 6749 §10.4; RFC 7009 §2.1",
  },
  "RT-18": {
    rule: "a refresh of a grant with `openid`",
    expected: "a new ID token with the same `iss`, `sub`, `aud` and `auth_time`, a new `iat`, and no `nonce`",
    source: "OpenID Connect Core §12.2",
  },
  "RT-19": {
    rule: "a refresh token beyond `refresh_token_idle_limit` or `refresh_token_absolute_limit`",
    expected: "400 `invalid_grant`",
    source: "RFC 9700 §4.14.2",
  },
  "RT-20": {
    rule: "200 rotations in a row",
    expected: "each succeeds once; one token of the family stays valid",
    source: "RFC 6749 §6",
  },
  "PW-01": {
    rule: "user name and password without a client",
    expected: "200 with the scope `api`, while `ropc_without_client_credentials` is on",
    source: "Gatehouse specification, Endpoints",
  },
  "PW-02": {
    rule: "user name and password with a client by Basic",
    expected: "200; the token belongs to the client",
    source: "RFC 6749 §4.3.2; Gatehouse specification, Authentication",
  },
  "PW-03": {
    rule: "an e-mail address, or another case, as user name",
    expected: "200",
    source: "GitLab documentation, OAuth 2.0 identity provider API",
  },
  "PW-04": {
    rule: "a wrong password, an unknown user, a missing parameter",
    expected: "400 `invalid_grant` with the same body for each; missing or empty: 400 `invalid_request`",
    source: "RFC 6749 §5.2",
  },
  "PW-05": {
    rule: "a user with two-factor authentication",
    expected: "400 `invalid_grant`, even with the correct password",
    source: "Gatehouse specification, Authentication",
  },
  "PW-06": {
    rule: "the setting `password_authentication_enabled_for_git` is off",
    expected: "400 `invalid_grant` for every user",
    source: "Gatehouse specification, Authentication",
  },
  "PW-07": {
    rule: "a wrong client secret or an unknown `client_id`",
    expected: "401 `invalid_client`; the password is not checked",
    source: "RFC 6749 §4.3.2, §5.2",
  },
  "PW-08": {
    rule: "no client while `ropc_without_client_credentials` is off",
    expected: "401 `invalid_client`",
    source: "RFC 6749 §4.3.2",
  },
  "PW-09": {
    rule: "a scope that the grant or the client does not have",
    expected: "400 `invalid_scope`",
    source: "RFC 6749 §5.2",
  },
  "PW-10": {
    rule: "the members of the response",
    expected: "exactly `access_token`, `token_type` and `expires_in`; no refresh token",
    source: "Gatehouse specification, Resources and their fields",
  },
  "PW-11": {
    rule: "repeated wrong passwords",
    expected: "429 with `Retry-After`, counted together with the sign-in page",
    source: "RFC 6749 §4.3.2; decision 0031",
  },
  "PW-12": {
    rule: "a blocked user with the correct password",
    expected: "400 `invalid_grant` with the same body as for a wrong password",
    source: "RFC 6749 §5.2",
  },
  "DT-01": {
    rule: "a poll while the user has not decided",
    expected: "400 `authorization_pending`, without `WWW-Authenticate`",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DT-02": {
    rule: "a poll before the interval has passed",
    expected: "400 `slow_down`; the interval grows by 5 s each time, up to 60 s",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DT-03": {
    rule: "the first poll immediately after the codes are issued",
    expected: "400 `authorization_pending`",
    source: "RFC 8628 §3.5",
  },
  "DT-04": {
    rule: "a poll after the user has allowed",
    expected:
      "200 even if the poll comes before the interval has passed, with `access_token`, `token_type` `Bearer`, `expires_in`, `scope`, `created_at`",
    source: "Gatehouse specification, States and transitions",
  },
  "DT-05": {
    rule: "a second redemption",
    expected: "400 `invalid_grant`",
    source: "RFC 8628 §3.5; RFC 6749 §5.2",
  },
  "DT-06": {
    rule: "a poll after the user has denied",
    expected: "400 `access_denied`, each time",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DT-07": {
    rule: "a poll after the code has expired, even after an approval",
    expected: "400 `expired_token`, each time",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DT-08": { rule: "an unknown device code", expected: "400 `invalid_grant`", source: "RFC 6749 §5.2" },
  "DT-09": {
    rule: "a poll without `device_code`",
    expected: "400 `invalid_request`",
    source: "RFC 8628 §3.4; RFC 6749 §5.2",
  },
  "DT-10": {
    rule: "the device code of another client",
    expected: "400 `invalid_grant`; the request of its owner does not change",
    source: "RFC 8628 §3.4",
  },
  "DT-11": {
    rule: "a poll by an unknown client, or by a confidential client without its secret",
    expected: "401 `invalid_client`",
    source: "RFC 8628 §3.4; RFC 6749 §5.2",
  },
  "DT-12": { rule: "a user code as device code", expected: "400 `invalid_grant`", source: "RFC 8628 §3.4" },
  "DT-13": {
    rule: "a user who is blocked after the approval",
    expected: "400 `invalid_grant`",
    source: "RFC 6749 §5.2",
  },
  "DA-01": {
    rule: "a request of a public client",
    expected:
      "200 with `device_code`, `user_code`, `verification_uri`, `verification_uri_complete`, `expires_in` 300 and `interval` 5",
    source: "RFC 8628 §3.2; Gatehouse specification, Resources and their fields",
  },
  "DA-02": {
    rule: "an unknown or missing client",
    expected: "401 `invalid_client`; no row is stored",
    source: "RFC 8628 §3.1; RFC 6749 §5.2",
  },
  "DA-03": {
    rule: "a confidential client",
    expected: "200 with its secret, 401 `invalid_client` without its secret",
    source: "RFC 8628 §3.1; RFC 6749 §2.3",
  },
  "DA-04": {
    rule: "scopes beyond the application",
    expected: "400 `invalid_scope`; no scope: the default scope `api`",
    source: "RFC 6749 §3.3, §5.2",
  },
  "DA-05": {
    rule: "the feature flag `oauth2_device_grant_flow` is off",
    expected:
      "404 here and at `/oauth/device`; `unsupported_grant_type` at the token endpoint; absent from the metadata",
    source: "Gatehouse specification, Versioning",
  },
  "DA-07": {
    rule: "many requests at the same time",
    expected: "no user code is issued twice; expired rows are pruned",
    source: "RFC 8628 §6.1",
  },
  "DA-08": { rule: "methods and origins", expected: "POST only; no CORS header", source: "RFC 8628 §3.1" },
  "DV-01": {
    rule: "the page without a session",
    expected: "303 to sign-in and back, with the user code kept",
    source: "RFC 8628 §3.3",
  },
  "DV-02": {
    rule: "the page with a session",
    expected: "200 with an empty field and a CSRF token",
    source: "RFC 8628 §3.3",
  },
  "DV-03": {
    rule: "a link with `user_code`",
    expected: "the field is filled in and escaped; nothing is approved",
    source: "RFC 8628 §3.3.1, §5.4",
  },
  "DV-04": {
    rule: "a correct code",
    expected:
      "a page with the application, the scopes, the signed-in user, the code and a warning to compare the code; buttons to allow and to deny",
    source: "RFC 8628 §3.3, §5.4",
  },
  "DV-05": {
    rule: "the user allows",
    expected: "a success page; the next poll gets 200; the code cannot be used again",
    source: "RFC 8628 §3.3, §3.5",
  },
  "DV-06": {
    rule: "the user denies",
    expected: "a page that confirms the denial; the next poll gets `access_denied`",
    source: "RFC 8628 §3.5; Gatehouse specification, Errors",
  },
  "DV-07": {
    rule: "a wrong, used or expired code",
    expected: "422 with the same text for all three; a decision after the expiry: 410",
    source: "RFC 8628 §5.1",
  },
  "DV-08": {
    rule: "a code in lower case, with dash or spaces",
    expected: "accepted",
    source: "RFC 8628 §6.1",
  },
  "DV-09": {
    rule: "a form without a CSRF token, with one of another user, or from another origin",
    expected: "403; nothing changes",
    source: "RFC 6749 §10.12; decision 0004",
  },
  "DV-10": {
    rule: "more wrong codes than the limit of a user or an IP address",
    expected: "429 with `Retry-After`; a success does not reset the count",
    source: "RFC 8628 §5.1",
  },
  "DV-11": {
    rule: "a second user who enters the same code",
    expected: "422; a decision on a request that has been decided: 409",
    source: "RFC 8628 §5.5",
  },
  "DV-12": {
    rule: "the pages without JavaScript, by keyboard alone",
    expected: "the whole flow works",
    source: "RFC 8628 §3.3",
  },
  "RV-01": {
    rule: "the access token of the client",
    expected: "200 `{}`; access and refresh token are revoked",
    source: "RFC 7009 §2.1; Gatehouse specification, Endpoints",
  },
  "RV-02": {
    rule: "the refresh token of the client",
    expected: "200 `{}`; access and refresh token are revoked",
    source: "RFC 7009 §2.1",
  },
  "RV-03": {
    rule: "a token that is already revoked",
    expected: "200 `{}`; nothing changes",
    source: "RFC 7009 §2.2",
  },
  "RV-04": { rule: "an unknown token", expected: "200 `{}`", source: "RFC 7009 §2.2" },
  "RV-05": { rule: "a request without `token`", expected: "400 `invalid_request`", source: "RFC 7009 §2.1" },
  "RV-06": {
    rule: "a wrong or unknown `token_type_hint`",
    expected: "the token is revoked",
    source: "RFC 7009 §2.1",
  },
  "RV-07": {
    rule: "a public client with its `client_id`",
    expected: "200; its token is revoked",
    source: "RFC 7009 §2.1",
  },
  "RV-08": {
    rule: "no client, wrong credentials, or the token of another client",
    expected: "403 `unauthorized_client`; the token stays valid",
    source: "RFC 7009 §2.1",
  },
  "RV-09": {
    rule: "a token that was issued without a client",
    expected: "200 from any holder or client; wrong client credentials: 403 `unauthorized_client`",
    source: "RFC 7009 §2.1",
  },
  "RV-10": {
    rule: "a token whose access token has expired",
    expected: "the refresh token is revoked",
    source: "RFC 7009 §2.1",
  },
  "RV-11": {
    rule: "two sets of client credentials",
    expected: "400 `invalid_request`; the token stays valid",
    source: "RFC 6749 §2.3",
  },
  "RV-12": {
    rule: "a code, device code or ID token as `token`",
    expected: "200 `{}`; nothing changes",
    source: "RFC 7009 §2.2",
  },
  "RV-13": {
    rule: "a revocation while the token is refreshed",
    expected: "no token of the grant stays valid",
    source: "RFC 7009 §2.1",
  },
  "IN-01": {
    rule: "an access token of the requesting client",
    expected:
      "200 with `active` true, `scope`, `client_id`, `username`, `token_type`, `exp`, `iat`, `sub`, `iss`",
    source: "RFC 7662 §2.2",
  },
  "IN-02": {
    rule: "a refresh token",
    expected:
      "`active` true with the granted scopes; `exp` is the end of the refresh token, and `token_type` is absent",
    source: "RFC 7662 §2.2",
  },
  "IN-03": {
    rule: "a token that is unknown, expired, revoked, rotated, of another client, or of a blocked user",
    expected: '200 with exactly `{"active":false}`',
    source: "RFC 7662 §2.2",
  },
  "IN-04": {
    rule: "a request without credentials",
    expected: "401 `invalid_client`",
    source: "RFC 7662 §2.1, §2.3",
  },
  "IN-05": {
    rule: "a wrong client secret",
    expected: "401 `invalid_client`, with `WWW-Authenticate: Basic` for Basic",
    source: "RFC 7662 §2.3",
  },
  "IN-06": {
    rule: "an access token as authorization",
    expected:
      "another active token of the same application: 200; the introspected token itself or an unknown token: 401 `invalid_token`",
    source: "RFC 7662 §2.1",
  },
  "IN-07": { rule: "a request without `token`", expected: "400 `invalid_request`", source: "RFC 7662 §2.1" },
  "IN-08": { rule: "a token that never expires", expected: "no `exp`", source: "RFC 7662 §2.2" },
  "IN-09": { rule: "a public client", expected: "401 `invalid_client`", source: "RFC 7662 §4" },
  "IN-10": { rule: "a wrong `token_type_hint`", expected: "the token is found", source: "RFC 7662 §2.1" },
  "IN-11": { rule: "methods and origins", expected: "POST only; no CORS header", source: "RFC 7662 §2.1" },
  "IN-12": {
    rule: "introspection by a resource server",
    expected:
      "access tokens of all clients with one of its scopes; `active: false` for all other tokens of other clients",
    source: "RFC 7662 §2.2, §4",
  },
  "CC-01": {
    rule: "a token request of a confidential application that may use the client credentials grant",
    expected: "an access token of the bot user of the application, without a refresh token",
    source: "RFC 6749 §4.4",
  },
  "CC-02": {
    rule: "the client credentials grant for an application that is public, blocked, or may not use the grant",
    expected: "`unauthorized_client` or `invalid_client`",
    source: "RFC 6749 §4.4.2, §5.2",
  },
  "CC-03": {
    rule: "the scopes of the client credentials grant",
    expected:
      "without `scope`, all scopes of the grant; `invalid_scope` for any other scope, such as `openid`",
    source: "RFC 6749 §3.3",
  },
  "CC-04": {
    rule: "an access token of the client credentials grant at the API",
    expected: "the access of the memberships of the bot user, until its application or its owner is blocked",
    source: "decision 0099",
  },
  "CC-05": {
    rule: "the subject of a token of the client credentials grant",
    expected: "the `client_id`, in introspection and in a JWT access token",
    source: "RFC 9068 §2.2",
  },
  "CC-06": {
    rule: "client authentication, DPoP proofs and `resource` in the client credentials grant",
    expected: "as in the other grants",
    source: "RFC 7523 §2.2; RFC 9449 §5; RFC 8707 §2.2",
  },
  "CC-07": {
    rule: "the bot user of an application",
    expected: "cannot sign in, is not counted as a user, and is deleted with its application",
    source: "decision 0099",
  },
  "JT-01": {
    rule: "an access token of a client with the format JWT",
    expected:
      "`at+jwt` with `iss`, `sub`, `aud`, `client_id`, `scope`, `iat`, `exp`, `jti`; at most 600 seconds",
    source: "RFC 9068 §2",
  },
  "JT-02": {
    rule: "a JWT access token after a refresh or a revocation",
    expected: "introspection and the API refuse it",
    source: "RFC 7009 §2; RFC 7662 §2.2",
  },
  "JT-03": {
    rule: "a JWT access token as `id_token_hint`",
    expected: "refused",
    source: "RFC 9068 §2.1; RFC 8725 §3.11",
  },
  "TI-01": {
    rule: "a token in the header `Authorization: Bearer`",
    expected:
      "200 with `resource_owner_id`, `scope`, `expires_in`, `application.uid`, `created_at`, and the aliases `scopes` and `expires_in_seconds`",
    source: "Gatehouse specification, Resources and their fields",
  },
  "TI-02": {
    rule: "a token in the query parameter `access_token`",
    expected: "the same response",
    source: "Gatehouse specification, Endpoints; RFC 6750 §2.3",
  },
  "TI-03": {
    rule: "the scheme `bearer` in lower case",
    expected: "the same response",
    source: "RFC 9110 §11.1",
  },
  "TI-04": {
    rule: "no token, or one that is unknown, expired, revoked or a refresh token",
    expected: "401 `invalid_token` with `WWW-Authenticate: Bearer`",
    source: "RFC 6750 §3, §3.1",
  },
  "TI-05": {
    rule: "two different tokens in header and query",
    expected: "400 `invalid_request`",
    source: "RFC 6750 §2",
  },
  "TI-06": {
    rule: "a token that was issued without a client",
    expected: "`application.uid` is null",
    source: "Gatehouse specification, Resources and their fields",
  },
  "TI-07": { rule: "a token with any scope", expected: "200", source: "Gatehouse specification, Endpoints" },
  "TI-08": {
    rule: "a token that never expires",
    expected: "`expires_in` and `expires_in_seconds` are null",
    source: "Gatehouse specification, Limits",
  },
  "UI-01": {
    rule: "GET and POST with a token that has `openid`",
    expected: "200 with the `sub` and the claims of the ID token",
    source: "OpenID Connect Core §5.3",
  },
  "UI-02": {
    rule: "POST with `access_token` in the form",
    expected: "200",
    source: "OpenID Connect Core §5.3.1; RFC 6750 §2.2",
  },
  "UI-03": {
    rule: "a request without a token",
    expected: "401 with `WWW-Authenticate: Bearer` and no error code in it",
    source: "RFC 6750 §3.1",
  },
  "UI-04": {
    rule: "an unknown, expired or revoked token",
    expected: "401 `invalid_token`, in the response and in the challenge",
    source: "OpenID Connect Core §5.3.3; RFC 6750 §3.1",
  },
  "UI-05": {
    rule: "a token without `openid`",
    expected: "403 `insufficient_scope`, in the response and in the challenge",
    source: "RFC 6750 §3.1",
  },
  "UI-06": {
    rule: "the claims by scope",
    expected: "`openid`: `sub`, profile claims and `groups`; `email` and `email_verified` need `email`",
    source: "OpenID Connect Core §5.4; decision 0038",
  },
  "UI-07": { rule: "the token of a blocked user", expected: "401 `invalid_token`", source: "RFC 6750 §3.1" },
  "UI-08": {
    rule: "U+0000, CR LF or malformed encoding in the token",
    expected: "400 or 401; no header is injected",
    source: "RFC 6750 §3.1",
  },
  "ID-01": {
    rule: "an exchange with and without `openid`",
    expected: "with: an ID token; without: none",
    source: "OpenID Connect Core §3.1.3.3",
  },
  "ID-02": {
    rule: "the header of an ID token",
    expected: "`alg` RS256 and the `kid` of a published key",
    source: "OpenID Connect Core §2; RFC 7515 §4.1",
  },
  "ID-03": {
    rule: "the claims of an ID token",
    expected: "`iss`, `sub`, `aud`, `exp` 120 s after `iat`, `auth_time`, and the `nonce` of the request",
    source: "OpenID Connect Core §2",
  },
  "ID-04": {
    rule: "`at_hash`",
    expected: "the left half of the SHA-256 of the access token, base64url",
    source: "OpenID Connect Core §3.1.3.6",
  },
  "DC-01": {
    rule: "GET of both metadata URLs",
    expected: "200 with the same JSON; `issuer` is the `iss` of ID tokens",
    source: "OpenID Connect Discovery §4.2, §4.3; RFC 8414 §3",
  },
  "DC-02": {
    rule: "the members of the metadata",
    expected:
      "the endpoints, scopes, `code`, grants (the device grant by its URN), authentication methods, `S256`, claims",
    source: "RFC 8414 §2; RFC 8628 §4; OpenID Connect Discovery §3",
  },
  "DC-03": {
    rule: "the metadata compared with the server",
    expected: "advertised endpoints, grants and methods work; disabled ones are absent",
    source: "RFC 8414 §2; OpenID Connect Discovery §3",
  },
  "DC-04": {
    rule: "the scheme and host of all endpoints",
    expected: "the scheme and host of the issuer",
    source: "RFC 8414 §2",
  },
  "DC-05": {
    rule: "an extension that is not supported: dynamic registration",
    expected: "404",
    source: "RFC 7591 §3",
  },
  "JW-01": {
    rule: "GET `/oauth/discovery/keys`",
    expected: "200 with RSA signing keys of 2,048 bits, public members only",
    source: "RFC 7517 §4, §5",
  },
  "JW-02": {
    rule: "caching of the key set",
    expected: "`public, max-age` of at most a day",
    source: "OpenID Connect Core §10.1.1",
  },
  "JW-03": {
    rule: "a key rotation",
    expected: "new ID tokens have the new `kid`; older ones still verify",
    source: "OpenID Connect Core §10.1.1",
  },
  "JW-04": {
    rule: "ID tokens of a client with the algorithm ES256 or EdDSA",
    expected:
      "a signature of this algorithm, by a published key; `at_hash` uses the hash function of the algorithm",
    source: "RFC 7518 §3.4; RFC 8037 §3.1; OpenID Connect Core §3.1.3.6",
  },
  "JW-05": {
    rule: "the rotation of keys at intervals",
    expected: "the new key is published for a day before it signs",
    source: "OpenID Connect Core §10.1.1",
  },
  "OF-01": {
    rule: "the modules of the Basic OP certification plan of the OpenID Foundation",
    expected: "each module passes",
    source: "OpenID Connect Core §3.1",
  },
  "OF-02": {
    rule: "the modules of the Config OP certification plan of the OpenID Foundation",
    expected: "each module passes",
    source: "OpenID Connect Discovery §3, §4",
  },
  "OF-03": {
    rule: "the modules of the Form Post OP certification plan of the OpenID Foundation",
    expected: "each module passes",
    source: "OAuth 2.0 Form Post Response Mode §2",
  },
  "OF-04": {
    rule: "the modules of the RP-Initiated Logout OP certification plan of the OpenID Foundation",
    expected: "each module passes",
    source: "OpenID Connect RP-Initiated Logout §2, §3",
  },
  "OF-05": {
    rule: "the modules of the Back-Channel Logout OP certification plan of the OpenID Foundation",
    expected: "each module passes",
    source: "OpenID Connect Back-Channel Logout §2",
  },
  "SU-01": {
    rule: "the claims `acr`, `amr` and `auth_time` after each kind of sign-in and re-authentication",
    expected: "the class and the methods of this authentication, in the ID token and in JWT access tokens",
    source: "OpenID Connect Core §2; RFC 8176 §2; decision 0113; RFC 9068 §2.2.1",
  },
  "SU-02": {
    rule: "introspection of a token of a user who signed in with a browser",
    expected: "`acr` and `auth_time` of the authentication, also after a refresh",
    source: "RFC 9470 §6.2",
  },
  "SU-03": {
    rule: "`acr_values` that the session does not satisfy",
    expected:
      "a page asks only for the missing factor; if the user lacks or declines it, a plain OpenID Connect request continues with the class of the session, and a request for an API, a resource server or JWT access tokens gets `unmet_authentication_requirements`",
    source: "OpenID Connect Core §3.1.2.1; RFC 9470 §5",
  },
  "SU-04": {
    rule: "an essential claim `acr` that the session does not satisfy",
    expected:
      "a page asks for the missing factor; without this factor, `unmet_authentication_requirements`, for a new client only after the consent",
    source: "OpenID Connect Core §5.5.1.1; decision 0113",
  },
  "SU-05": {
    rule: "`prompt=none` and a class that the session does not satisfy",
    expected:
      "for a required class, `login_required`, or `unmet_authentication_requirements` if the user does not have the factor; the class of the session for a voluntary class; `consent_required` for a client without consent",
    source: "OpenID Connect Core §3.1.2.6",
  },
  "SU-06": {
    rule: "a request for several classes, some of which the authentication satisfies",
    expected: "the ID token contains the first of these classes",
    source: "OpenID Connect Core §3.1.2.1, §5.5.1.1",
  },
  "SU-07": {
    rule: "a parameter `claims` that is malformed, too large, or has both `value` and `values`",
    expected: "`invalid_request`, also for a pushed request",
    source: "OpenID Connect Core §5.5, §5.5.1",
  },
  "SU-08": {
    rule: "unknown claims, and claims without an `essential` value",
    expected: "ignored; requested claims of a scope of the application need consent like the scope",
    source: "OpenID Connect Core §5.5, §5.5.1",
  },
  "SU-09": {
    rule: "the claim `sub` with a value, in `claims`",
    expected: "a response for this user only",
    source: "OpenID Connect Core §5.5.1, §3.1.2.2",
  },
  "SU-10": {
    rule: "a request that the step-up interrupts",
    expected:
      "continues unchanged, for the session of the step-up only, and ends after one re-authentication; a refusal of the factor counts only for the session of the user",
    source: "RFC 9470 §4, §9",
  },
  "BL-01": {
    rule: "a logout token",
    expected:
      "`typ: logout+jwt`, signed with the algorithm of the application; `iss`, `aud`, `sub`, `sid`, `iat`, `exp` after two minutes, `jti`, `events`; no `nonce`; refused as `id_token_hint`",
    source: "OpenID Connect Back-Channel Logout §2.4",
  },
  "BL-02": {
    rule: "`sid` in ID tokens of an application with a `backchannel_logout_uri`",
    expected:
      "the same value for each session and client, even after a refresh; different for other sessions and clients; not derived from the session id",
    source: "OpenID Connect Back-Channel Logout §2.1; decision 0101",
  },
  "BL-03": {
    rule: "the end of a session: a sign-out, a logout request of an application, a revocation, a blocked user, a new password",
    expected: "one logout token to each application to which the session signed in; none for other sessions",
    source: "OpenID Connect Back-Channel Logout §2.5, §2.6",
  },
  "BL-04": {
    rule: "grants and codes of an ended session",
    expected:
      "revoked for applications that receive logout tokens, unless the request contained `offline_access`",
    source: "OpenID Connect Back-Channel Logout §2.7",
  },
  "BL-05": {
    rule: "an application that does not accept a logout token",
    expected:
      "the server repeats the request for a day, each time with a new `jti`; only one of several servers sends it; the result is audited",
    source: "OpenID Connect Back-Channel Logout §2.5",
  },
  "BL-06": {
    rule: "a `backchannel_logout_uri` whose host has no public IP address",
    expected: "no request is sent",
    source: "OpenID Connect Back-Channel Logout §4; decision 0101",
  },
  "BL-07": {
    rule: "the `backchannel_logout_uri` of an application",
    expected: "an https URL without a fragment; of clients without an owner, on the origin of the client",
    source: "OpenID Connect Back-Channel Logout §2.2",
  },
  "CO-01": {
    rule: "a preflight for `/oauth/token`, `/oauth/revoke`, `/oauth/userinfo` with `Authorization`",
    expected: "origin `*`, the methods of the endpoint, `Authorization` allowed, no credentials",
    source: "Gatehouse specification, What the service does; Fetch Standard, CORS protocol",
  },
  "CO-02": {
    rule: "a preflight that names another header, such as `X-Requested-With`",
    expected: "no `Access-Control-*` header",
    source: "Gatehouse specification, Limits",
  },
  "CO-03": {
    rule: "success and error responses of these endpoints to another origin",
    expected: "`Access-Control-Allow-Origin: *` and no credentials",
    source: "Fetch Standard, CORS protocol; RFC 9700 §2.6",
  },
  "CO-04": {
    rule: "metadata, key set and token info for another origin",
    expected: "`Access-Control-Allow-Origin: *`",
    source: "RFC 9700 §2.6",
  },
  "CO-05": {
    rule: "authorization, device, introspection, sign-in and applications pages for another origin",
    expected: "no `Access-Control-*` header",
    source: "RFC 9700 §2.6",
  },
  "CO-06": {
    rule: "`Origin: null`, `file://` and unusual origins",
    expected: "`*` as for any origin, never with credentials",
    source: "Fetch Standard, CORS protocol",
  },
  "CO-07": {
    rule: "a single-page application of another origin in Chromium",
    expected:
      "the PKCE flow, userinfo and revocation work; the browser blocks `X-Requested-With` and credentials",
    source: "Gatehouse specification, What the service does",
  },
  "AP-01": {
    rule: "registration of an application",
    expected:
      "client id and secret; the secret is shown once and can be replaced; a public application has none",
    source: "RFC 6749 §2.2, §2.3.1; Gatehouse specification, Resources and their fields",
  },
  "AP-02": {
    rule: "`/user_settings/applications` and `/profile/applications`",
    expected: "both lead to the applications page",
    source: "Gatehouse specification, Resources and their fields",
  },
  "AP-03": {
    rule: "an application of another user",
    expected: "the same response as for an application that does not exist",
    source: "GitLab documentation, OAuth 2.0 provider",
  },
  "AP-04": {
    rule: "registration without a scope, or with an unknown one such as `sudo`",
    expected: "refused with an error at the field",
    source: "RFC 6749 §3.3",
  },
  "AP-05": {
    rule: "a name with HTML, of 10,000 characters, or with invisible direction characters",
    expected:
      "HTML is stored as entered and escaped on pages; names that are too long or change the text direction are refused",
    source: "RFC 6749 §10.14",
  },
  "AP-06": {
    rule: "a user who withdraws the consent for an application",
    expected: "all tokens, codes and device codes of that application and user are revoked",
    source: "RFC 7009 §2.1; RFC 6749 §10.4",
  },
  "AP-07": {
    rule: "the parameters `name`, `scopes` and `redirect_uri` of the forms for personal access tokens and applications",
    expected: "the form shows the values; nothing is created; unknown scopes are omitted",
    source: "GitLab documentation, Personal access tokens",
  },
  "AP-08": {
    rule: "an application that a group owns",
    expected: "every Owner of the group manages it; other users get the response for an unknown application",
    source: "decision 0081",
  },
  "AP-09": {
    rule: "a transfer of an application between a user and a group",
    expected: "allowed if the user has the right on both sides; tokens stay valid; trust ends",
    source: "decision 0081",
  },
  "AP-10": {
    rule: "the second maintainer of an application",
    expected: "may edit the application, but not delete or transfer it",
    source: "decision 0081",
  },
  "RU-01": {
    rule: "redirect URIs that are accepted: https, loopback http, private-use schemes, the out-of-band URN",
    expected: "registered",
    source: "RFC 6749 §3.1.2; RFC 8252 §7",
  },
  "RU-02": {
    rule: "redirect URIs that are relative, without a host, with a fragment, space or control character",
    expected: "refused at registration",
    source: "RFC 6749 §3.1.2",
  },
  "RU-03": {
    rule: "the schemes `javascript`, `data`, `vbscript`, `file`, `blob`, `about`, `filesystem`, `view-source` in any case",
    expected: "refused at registration",
    source: "RFC 6749 §10.14, §3.1.2",
  },
  "RU-04": {
    rule: "several redirect URIs, one of them invalid",
    expected: "the whole form is refused",
    source: "RFC 6749 §3.1.2.2",
  },
  "RU-05": {
    rule: "plain http to a host that is not loopback",
    expected: "refused if `BASE_URL` is https, allowed if it is http",
    source: "RFC 9700 §2.6; Gatehouse specification, Authentication",
  },
  "RU-06": {
    rule: "a redirect URI that differs in path, query, encoding, scheme, host, userinfo or fragment",
    expected: "an error page with status 400",
    source: "RFC 9700 §2.1, §4.1.3",
  },
  "RU-07": {
    rule: "a redirect URI with an upper-case host or `:443`",
    expected: "an error page with status 400",
    source: "RFC 9700 §4.1.3",
  },
  "RU-08": {
    rule: "a loopback redirect URI with another port",
    expected: "accepted for http",
    source: "RFC 8252 §7.3",
  },
  "RU-09": {
    rule: "URIs that only resemble loopback addresses",
    expected: "refused",
    source: "RFC 8252 §7.3; RFC 9700 §4.1.3",
  },
  "RU-10": { rule: "`http://localhost` with another port", expected: "accepted", source: "RFC 8252 §8.3" },
  "US-01": {
    rule: "`GET /api/v4/user` with a token in the header or the query",
    expected: "200",
    source: "Gatehouse specification, Endpoints; RFC 6750 §2",
  },
  "US-02": {
    rule: "no token or an unknown one",
    expected: '401 `{"message":"401 Unauthorized"}`; the challenge has no error code',
    source: "RFC 6750 §3.1; GitLab documentation, REST API authentication",
  },
  "US-03": {
    rule: "an expired or revoked token",
    expected: "401 `invalid_token`; the description says whether it is expired or revoked",
    source: "RFC 6750 §3.1",
  },
  "US-04": {
    rule: "a token with an insufficient scope",
    expected: "403 `insufficient_scope` with the required scopes in `scope`",
    source: "RFC 6750 §3.1",
  },
  "US-05": { rule: "a refresh token or a code as access token", expected: "401", source: "RFC 6750 §3.1" },
  "US-06": {
    rule: "Git over HTTP with the user `oauth2` and a token as password",
    expected: "accepted for that user name only; `read_repository` cannot push (403)",
    source: "Gatehouse specification, Authentication",
  },
  "US-07": {
    rule: "the header `PRIVATE-TOKEN`",
    expected: "accepted like the header `Authorization`, for OAuth tokens and personal access tokens",
    source: "Gatehouse specification, Authentication",
  },
  "US-08": {
    rule: "a revocation or rotation",
    expected: "effective on the next request",
    source: "RFC 7009 §2.1",
  },
  "CA-01": {
    rule: "`client_assertion` signed with a registered private key, at token, revocation and introspection",
    expected: "the client is authenticated; no secret is needed",
    source: "RFC 7523 §2.2; OpenID Connect Core §9",
  },
  "CA-02": {
    rule: "`client_assertion` signed with the secret of an application (`client_secret_jwt`, HS256)",
    expected: "the client is authenticated; its secret is refused in the form and in HTTP Basic",
    source: "RFC 7523 §2.2; OpenID Connect Core §9",
  },
  "CA-03": {
    rule: "an assertion with wrong `iss`, `sub`, `aud`, `exp`, `nbf` or `jti`, or of another client",
    expected: "`invalid_client`; `exp` may be at most 5 minutes in the future, with a tolerance of 1 minute",
    source: "RFC 7523 §3",
  },
  "CA-04": {
    rule: "an assertion whose signature is wrong, or whose algorithm does not match the method, such as HS256 with a public key, or `none`",
    expected: "`invalid_client`",
    source: "RFC 7515 §10.6; RFC 8725 §3.1",
  },
  "CA-05": {
    rule: "an assertion that is sent twice, even simultaneously to several processes",
    expected: "exactly one request succeeds; the others get `invalid_client`",
    source: "RFC 7523 §3",
  },
  "CA-06": {
    rule: "an assertion together with HTTP Basic or `client_secret`, or without its type",
    expected: "`invalid_request`",
    source: "RFC 6749 §2.3",
  },
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
  "PR-01": {
    rule: "an authorization request that is pushed, and a browser at `/oauth/authorize` with `client_id` and `request_uri`",
    expected:
      "201 with `request_uri` and `expires_in`; the browser continues with the pushed parameters alone",
    source: "RFC 9126 §2.2, §4",
  },
  "PR-02": {
    rule: "the lifetime of a `request_uri`",
    expected:
      "a browser must open it within 90 seconds; the user can then complete it in any tab for a day; later `invalid_request_uri` at the redirect URI",
    source: "RFC 9126 §4, §7.3; decision 0091",
  },
  "PR-03": {
    rule: "a `request_uri` for which a code was issued, even with simultaneous requests to several processes",
    expected:
      "one code; later requests get `invalid_request_uri`; a form that is posted twice returns the same code",
    source: "RFC 9126 §7.3",
  },
  "PR-04": {
    rule: "an unknown `request_uri`, or the `request_uri` of another client",
    expected: "an error page with status 400; nothing is sent to a redirect URI",
    source: "RFC 9126 §2.2, §7.2",
  },
  "PR-05": {
    rule: "a pushed request with wrong parameters, with `request_uri`, or with wrong client credentials",
    expected: "the error code of `/oauth/authorize` as JSON with status 400, or `invalid_client`",
    source: "RFC 9126 §2.1, §2.3",
  },
  "PR-06": {
    rule: "an application that requires pushed requests, and a request that is not pushed",
    expected: "`invalid_request`",
    source: "RFC 9126 §6",
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
  "DP-01": {
    rule: "a token request with a DPoP proof, and requests with the token and a proof by the scheme `DPoP`",
    expected:
      "`token_type: DPoP`; the API, userinfo and token info accept the token; introspection returns `cnf.jkt`",
    source: "RFC 9449 §5, §6.2, §7.1",
  },
  "DP-02": {
    rule: "a bound token presented as Bearer, in a parameter or by Git, and a bearer token presented as DPoP",
    expected: "401 with a `DPoP` challenge that lists the algorithms",
    source: "RFC 9449 §7.1, §7.2",
  },
  "DP-03": {
    rule: "a proof with wrong `htm`, `htu`, `iat`, `ath`, `jti`, `typ`, algorithm, key or signature, or a private key",
    expected: "`invalid_dpop_proof`",
    source: "RFC 9449 §4.3",
  },
  "DP-04": {
    rule: "a proof without a current nonce",
    expected: "`use_dpop_nonce` with the header `DPoP-Nonce`; every process accepts the nonce",
    source: "RFC 9449 §8, §9",
  },
  "DP-05": {
    rule: "a proof that is sent twice, even simultaneously to several processes",
    expected: "exactly one request succeeds",
    source: "RFC 9449 §11.1",
  },
  "DP-06": {
    rule: "a refresh of a grant that is bound to a key",
    expected:
      "a public client must use the same key, a confidential client may change it; without a proof the refresh is refused",
    source: "RFC 9449 §5",
  },
  "DP-07": {
    rule: "`dpop_jkt` at `/oauth/authorize`, or a DPoP proof at `/oauth/par`",
    expected: "the code is exchanged only with a proof of this key",
    source: "RFC 9449 §10",
  },
  "DP-08": {
    rule: "an application that requires DPoP, and a token request without a proof",
    expected: "`invalid_request`",
    source: "RFC 9449 §5.2",
  },
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
  "LF-05": {
    rule: "AT-03, AT-04 and AT-05 at two server processes",
    expected: "exactly one request succeeds in each case",
    source: "RFC 6749 §10.5; RFC 9700 §4.14.2",
  },
  "LF-08": {
    rule: "SIGKILL of the server during exchanges",
    expected: "every token that a client received works after the restart; no code was used twice",
    source: "RFC 6749 §4.1.2",
  },
  "SC-01": {
    rule: "Git references: `refs/replace/*`, pushes to references that are neither branches nor tags, names that look like object ids",
    expected: "`refs/replace/*` is ignored; such pushes and names are refused",
    source: "decision 0021",
  },
  "SC-02": {
    rule: "protected branches in the API, on the settings page and in pushes",
    expected:
      "changes below the access level are refused; the default branch is protected when a project is created",
    source: "GitLab documentation, Protected branches; decision 0024",
  },
  "SC-03": {
    rule: "changes in the administration and of applications without a recent authentication",
    expected: "303 to re-authentication; idle sessions of administrators end",
    source: "decision 0028",
  },
  "SC-04": {
    rule: "creation and rotation of personal access tokens with an OAuth token",
    expected: "403 `insufficient_scope`",
    source: "RFC 6750 §3.1",
  },
  "SC-05": {
    rule: "an application whose owner is blocked",
    expected: "refused like a blocked application, unless it is trusted or owned by the instance",
    source: "decision 0030",
  },
  "SC-06": {
    rule: "a password change or reset, and blocking",
    expected:
      "OAuth grants and personal access tokens are revoked; a user who changes the password can keep them",
    source: "decision 0029",
  },
  "SC-07": {
    rule: "failed password attempts by a stranger",
    expected: "429 for the stranger; a device from which the user has signed in is not locked out",
    source: "decision 0031",
  },
  "SC-08": {
    rule: "a revision name that matches a branch, a tag and an object id",
    expected: "resolves to the branch, then the tag, then a full object id",
    source: "decision 0021",
  },
  "SC-09": {
    rule: "floods of tracked errors, and disk space",
    expected:
      "new fingerprints and bytes are limited for each key and project; readiness warns when little disk space is free",
    source: "decision 0050; decision 0023",
  },
  "SC-10": {
    rule: "common passwords, and passwords that contain the username",
    expected: "refused",
    source: "NIST SP 800-63B §5.1.1.2; decision 0032",
  },
  "SC-11": {
    rule: "an e-mail address that is not confirmed",
    expected: "clients see the confirmed address only",
    source: "OpenID Connect Core §5.1; decision 0033",
  },
  "SC-12": {
    rule: "sign-out with `post_logout_redirect_uri`",
    expected: "redirects only after sign-out has ended a session or the user has clicked",
    source: "OpenID Connect RP-Initiated Logout §2, §3",
  },
  "SC-13": {
    rule: "approvals by users who push commits to the merge request",
    expected: "these users count as committers and cannot approve",
    source: "decision 0025",
  },
  "SC-14": {
    rule: "groups that `project create` creates",
    expected:
      "the groups get the visibility of the project; the visibility of a project never exceeds that of its group",
    source: "decision 0014",
  },
  "SC-15": {
    rule: "reserved names, invisible characters and look-alikes in names",
    expected: "refused",
    source: "decision 0034",
  },
  "SC-16": {
    rule: "requests that probe for e-mail addresses, private projects and removed Git objects",
    expected: "the same response as for an absent object; TOTP attempts are delayed",
    source: "decision 0033; RFC 4226 §7.3",
  },
  "SC-17": {
    rule: "audit events and cookies",
    expected:
      "pushes, merges, approvals and commands are recorded; cookies have the prefix `__Host-` under https",
    source: "decision 0048; decision 0027",
  },
  "SC-18": {
    rule: "the version of Node.js",
    expected: "supported versions start; others are refused or warned about with a reason",
    source: "decision 0052",
  },
  "SC-19": {
    rule: "requests with `Upgrade`, and HTTP/1.0 without `Host`",
    expected: "handled as plain HTTP; a request in HTTP/1.1 without `Host` gets 400",
    source: "RFC 9110 §7.8; RFC 9112 §3.2",
  },
  "SC-20": {
    rule: "`iss` in authorization responses",
    expected:
      "by default, on successful responses with `openid`; with `always`, on each response and in the metadata; with `never`, on no response",
    source: "RFC 9207 §2, §3; decision 0035",
  },
  "SC-21": {
    rule: "session cookies on a shared host",
    expected: "named `gatehouse_…`; the cookies that libraries set by default are not read",
    source: "decision 0027",
  },
  "SC-22": {
    rule: "Git clients with `web_url`, push options and LFS",
    expected:
      "`web_url` can be cloned; push options create merge requests; Git LFS clients get an error message",
    source: "GitLab documentation, Push options",
  },
  "SC-23": {
    rule: "repeated slashes and absolute-form request targets",
    expected: "repeated slashes count as one; the path of an absolute-form target is served",
    source: "RFC 9112 §3.2.2; RFC 9110 §4.2.4",
  },
  "SC-24": {
    rule: "`Sudo` and filters that are not implemented",
    expected: "403 `insufficient_scope` for `Sudo`; 400 that names the filter",
    source: "decision 0045",
  },
  "SC-25": {
    rule: "client authentication and bodies that other servers accept",
    expected:
      "an empty Basic pair is not an authentication; the same credentials twice and multipart bodies are accepted",
    source: "RFC 6749 §2.3.1; decision 0036",
  },
  "SC-26": {
    rule: "the scope `offline_access`",
    expected: "accepted without effect together with other scopes; `invalid_scope` if it is the only scope",
    source: "OpenID Connect Core §11; decision 0037",
  },
  "SC-27": {
    rule: "namespaces, file headers, 405 bodies, `/version` and the samples of the help pages",
    expected: "the same responses as GitLab; each printed sample succeeds",
    source: "GitLab documentation, REST API; decision 0046; decision 0047",
  },
  "SC-28": {
    rule: "bodies of legacy SDKs and envelopes with oversized attachments",
    expected: "the event is stored; the attachment is dropped and counted",
    source: "decision 0049",
  },
  "SC-29": {
    rule: "`form_post` and the scope `openid` alone",
    expected:
      "the post has the `Origin` of the instance; the ID token and userinfo have the name of the user",
    source: "OAuth 2.0 Form Post Response Mode §2; decision 0038",
  },
  "SC-30": {
    rule: "snippets on the pages of the product",
    expected: "each snippet runs without changes",
    source: "decision 0051",
  },
  "SC-31": {
    rule: "pages that mention git-credential-oauth",
    expected: "the pages name the minimum version 0.10",
    source: "decision 0051",
  },
  "SC-32": {
    rule: "registered plain http redirect URIs after `BASE_URL` became https",
    expected:
      "refused at the authorization endpoint and the exchange; loopback stays allowed; `doctor` lists them",
    source: "RFC 9700 §2.6; Gatehouse specification, Authentication",
  },
  "SC-33": {
    rule: "an application whose scopes are narrowed",
    expected:
      "new requests are limited; grants keep their scopes unless the editor revokes them; pending codes fail with `invalid_grant`",
    source: "decision 0039",
  },
  "SC-34": {
    rule: "links in API responses, and pages without permission",
    expected: "links lead to pages; error pages give the reason",
    source: "GitLab documentation, REST API",
  },
  "SC-35": {
    rule: "a power cut after acknowledged writes of Git data, packages and backups",
    expected: "neither content nor names are lost: everything is synchronized before the response",
    source: "decision 0022",
  },
  "SC-36": {
    rule: "a power cut during the first start",
    expected: "the next start continues with the secret and password on the disk",
    source: "decision 0022",
  },
  "SC-37": {
    rule: "a secret file that is short, or missing next to a database",
    expected: "an error that names the file; no new secret is created",
    source: "goal of the product",
  },
  "SC-38": {
    rule: "a network partition between server and PostgreSQL",
    expected: "503 during the partition; all requests work within 5 s after it",
    source: "RFC 9110 §15.6.4; decision 0041",
  },
  "SC-39": {
    rule: "failures of the database",
    expected: "503 with `Retry-After`; errors of the request do not count as failures of the database",
    source: "RFC 9110 §10.2.3, §15.6.4",
  },
  "SC-40": {
    rule: "a full or read-only disk",
    expected: "507 or 503 with the reason; readiness fails",
    source: "RFC 4918 §11.5; decision 0023",
  },
  "SC-41": {
    rule: "a migration that waits for a lock",
    expected:
      "probes get a response, signals stop the migration, and a message names the process that holds the lock",
    source: "decision 0040",
  },
  "SC-42": {
    rule: "stalled pushes",
    expected: "stalled pushes do not occupy a slot for Git; a user can occupy at most half of the slots",
    source: "decision 0053",
  },
  "SC-43": {
    rule: "simultaneous deletes of a project",
    expected: "one 202, then 404",
    source: "RFC 9110 §15.5.5",
  },
  "SC-44": {
    rule: "a start while PostgreSQL is not reachable",
    expected: "the server retries for 30 seconds; a signal stops the wait",
    source: "decision 0040",
  },
  "SC-45": {
    rule: "malformed multipart forms and JSON bodies on any path",
    expected: "400; the process continues and its memory stays bounded",
    source: "RFC 9110 §15.5.1",
  },
  "SC-60": {
    rule: "the hash chain of audit events",
    expected:
      "changed, removed, inserted and reordered events are found; simultaneous writers and pruning keep the chain",
    source: "decision 0082",
  },
  "SC-61": {
    rule: "the requests of webhooks",
    expected:
      "signed by Standard Webhooks, with the headers of GitLab; secrets are encrypted; no local addresses",
    source: "decision 0083",
  },
  "SC-62": {
    rule: "the delivery of webhooks",
    expected: "retries for a day, a pause of failing webhooks, one sender, and a log with redelivery",
    source: "decision 0083",
  },
  "SC-70": {
    rule: "a rotation of the instance secret while servers run",
    expected: "no stored value, session or passkey is lost; the previous secret then decrypts nothing",
    source: "decision 0084",
  },
};

/** @typedef {keyof typeof REQUIREMENTS} RequirementId */

/**
 * The rules without a test, and the reasons. @type {Readonly<Record<string, Requirement & { why: string }>>}
 */
export const NOT_MET = {
  "DA-06": {
    rule: "an application without the device grant",
    expected: "400 `unauthorized_client`",
    source: "RFC 6749 §5.2",
    why: "No application lacks the device grant: the grant is enabled or disabled for the whole instance (DA-05), and a client still needs the approval of a user.",
  },
  "LF-01": {
    rule: "load at a fixed rate and in a closed loop on each endpoint",
    expected: "no unexpected status",
    source: "goal of the product",
    why: "`npm run bench` measures the load, not `npm test`: see `docs/benchmarks.md`.",
  },
  "LF-02": {
    rule: "mixed realistic load",
    expected: "the 99th percentile of latency at a processor load of 50 %",
    source: "goal of the product",
    why: "Not measured: each row of `npm run bench` sends requests to one endpoint.",
  },
  "LF-03": {
    rule: "600 devices that poll every 5 s for 10 min",
    expected: "no false `slow_down`; one token for each approval",
    source: "RFC 8628 §3.5",
    why: "The run would take too long for a test. 1,000 polls with jitter on a simulated clock get no false `slow_down` (DT-02), and exactly one of 16 simultaneous polls at two processes gets the token (AT-05).",
  },
  "LF-04": {
    rule: "a storm of refreshes after a restart",
    expected: "no token family is lost",
    source: "RFC 6749 §6",
    why: "Not tested separately. LF-08 kills the server during many concurrent code exchanges, and `npm run bench` measures parallel chains of token refreshes.",
  },
  "LF-06": {
    rule: "load for one hour",
    expected: "memory and open handles stay constant",
    source: "goal of the product",
    why: "The run would take too long for a test.",
  },
  "LF-07": {
    rule: "1,000,000 expired tokens in the table",
    expected: "the latency of a look-up does not change",
    source: "goal of the product",
    why: "`npm run bench` measures the latency, not `npm test`. A test shows that pruning works in small batches.",
  },
  "LF-09": {
    rule: "a database that stops, pauses, restarts, loses connections or is slow",
    expected: "503 with `Retry-After`, and recovery without a restart",
    source: "RFC 9110 §15.6.4",
    why: "Network partitions, terminated connections and locked tables of PostgreSQL are tested (SC-38, SC-39), and a start while the database is unreachable (SC-44). A slow database is not tested.",
  },
  "LF-10": {
    rule: "a full disk or a read-only database",
    expected: "503; reads continue",
    source: "RFC 9110 §15.6.4",
    why: "A full and a read-only disk are tested for repositories and packages (SC-40), and a read-only PostgreSQL database is tested for requests (SC-39). A full disk under an SQLite database is not tested.",
  },
  "LF-11": {
    rule: "clients that disconnect or send slowly",
    expected: "other clients are not affected",
    source: "RFC 9112 §9.5",
    why: "Stalled pushes (SC-42), silent connections and half-closed sockets are tested. Slow token requests are limited by the HTTP server.",
  },
  "LF-12": {
    rule: "a clock that jumps by 10 min under load",
    expected: "only expiry changes",
    source: "RFC 6749 §5.1",
    why: "Not tested under load. Every rule gets the time from a clock that tests control.",
  },
  "LF-13": {
    rule: "a key rotation under load",
    expected: "no verification fails with a current key set",
    source: "OpenID Connect Core §10.1.1",
    why: "Not tested under load. After a rotation, ID tokens that were signed with either key verify (JW-03).",
  },
  "LF-14": {
    rule: "a rolling restart of two processes",
    expected: "no request fails for a client that retries",
    source: "RFC 9110 §15.6.4",
    why: "Not tested. Two processes on one database are tested (AT-03, AT-04, AT-05), and so is a kill with a restart (LF-08).",
  },
  "LF-15": {
    rule: "a flood of password grants next to normal load",
    expected: "the latency of other endpoints does not change",
    source: "RFC 9110 §15.6.4",
    why: "Password hashing is limited, and further requests get 503 (AT-25); the latency of other endpoints is not measured.",
  },
  "LF-16": {
    rule: "migrations up and down with live data",
    expected: "tokens stay valid",
    source: "goal of the product",
    why: "Down migrations do not exist.",
  },
};
